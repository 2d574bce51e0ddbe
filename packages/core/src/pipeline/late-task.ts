import { SignalboxError } from "@signalbox/contracts";

/** Where a task says by when it is wanted; a standard that has a word for being late is answered by it, and not as a fault. */
type LateField = "execution.deadline" | "telemetry.deadline";
const codes = {
  "execution.deadline": "VALIDATION_FAILED",
  "telemetry.deadline": "DEADLINE_EXCEEDED",
} as const satisfies Record<LateField, string>;

/** CLOCK-9: a task that nobody could begin in time is told so, by the field that says it. */
export function refuseLateTask(deadlineAt: number | undefined, now: number, field: LateField): void {
  if (deadlineAt === undefined || deadlineAt > now) return;
  const shown = new Date(deadlineAt).toISOString();
  throw new SignalboxError(codes[field], `The task's deadline, ${shown}, has passed.`, {
    violations: [
      {
        field,
        rule: "future",
        message: `is ${shown}, which has passed; a later moment, or none, is allowed`,
      },
    ],
  });
}
