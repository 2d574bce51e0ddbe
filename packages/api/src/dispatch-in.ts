import { type DispatchAttempt, SignalboxError } from "@signalbox/contracts";
import { readDispatchId } from "@signalbox/core";

/** A dispatch's id names its attempt; one that names another is a mistake, and is told so (D6). */
export function dispatchIn(attempt: DispatchAttempt | undefined): string {
  const { dispatchId, attemptNumber } = required("attempt", attempt);
  const named = readDispatchId(dispatchId)?.attemptNumber;
  if (named === undefined || named === attemptNumber) return dispatchId;
  throw new SignalboxError("VALIDATION_FAILED", "The request names two attempts.", {
    violations: [
      {
        field: "attempt.attempt_number",
        rule: "same_attempt",
        message: `is ${attemptNumber}, and the dispatch is attempt ${named}`,
      },
    ],
  });
}

/** A part of a request that no request does without. */
export function required<T>(field: string, part: T | undefined): T {
  if (part !== undefined && part !== "") return part;
  throw new SignalboxError("VALIDATION_FAILED", `The request names no ${field}.`, {
    violations: [{ field, rule: "required", message: "is required" }],
  });
}
