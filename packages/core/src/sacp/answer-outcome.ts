import { Outcome } from "@signalbox/contracts";
import { isFallback, type SacpResponse } from "@signalbox/contracts/sacp";

export type AnswerOutcome = {
  readonly outcome: Outcome;
  readonly failureCode: string;
  readonly failureReason: string;
};

const plain = (outcome: Outcome): AnswerOutcome => ({ outcome, failureCode: "", failureReason: "" });

/** SACP-40 (D12): what an answer's status says of the attempt. The fallback says only that there was no answer. */
export function answerOutcome(
  answer: Pick<SacpResponse, "thought" | "message"> & { readonly status: string },
): AnswerOutcome {
  switch (answer.status) {
    case "success":
    case "completed":
      return plain(Outcome.SUCCESS);
    case "clarification_needed":
      return plain(Outcome.PARTIAL);
    default:
      return isFallback({ ...answer, status: "failure" })
        ? {
            outcome: Outcome.RETRYABLE_FAILURE,
            failureCode: "SACP_UNPARSEABLE",
            failureReason: answer.message,
          }
        : {
            outcome: Outcome.NON_RETRYABLE_FAILURE,
            failureCode: "SACP_FAILURE",
            failureReason: answer.message,
          };
  }
}
