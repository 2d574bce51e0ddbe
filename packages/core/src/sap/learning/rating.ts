import { SignalboxError, type Violation } from "@signalbox/contracts";
import type { ResultStatus } from "@signalbox/contracts/sap";
import type { Actor } from "../../caller.ts";
import { isOwnSubmission } from "../../identity/own-submission.ts";
import { isFinal } from "../status.ts";
import type { Rating } from "./signal.ts";

export const BEST_SCORE = 5;

/** SAP-52: what is wrong with a rating as it was sent. */
export function ratingFaults({ score, approved, note }: Rating): Violation[] {
  if (score === null && approved === null && note === null)
    return [{ field: "score", rule: "required", message: "say a score, approved, a note, or more of these" }];
  if (score === null || (Number.isInteger(score) && score >= 1 && score <= BEST_SCORE)) return [];
  return [{ field: "score", rule: "range", message: `a whole number from 1 to ${BEST_SCORE}` }];
}

/** SAP-52: who may say what of which result. */
export function refuseRating(
  { approved }: Rating,
  by: Actor,
  {
    status,
    submitter,
    submittersMakers = [],
  }: {
    readonly status: ResultStatus;
    readonly submitter: Actor;
    /** Where a key submitted: the ids of who made it, and of who made a key that made it. */
    readonly submittersMakers?: readonly string[];
  },
): void {
  if (!isFinal(status))
    throw new SignalboxError(
      "INVALID_STATE",
      `The task is ${status}: a result is rated once the task is over.`,
    );
  if (approved === true && isOwnSubmission(by, submitter, submittersMakers))
    throw new SignalboxError("FORBIDDEN", "Nobody approves what they submitted: somebody else has to.");
}
