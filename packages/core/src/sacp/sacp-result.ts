import { create, type JsonObject } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  Confidence,
  EvidenceType,
  Outcome,
  type TaskEnvelope,
} from "@signalbox/contracts";
import { readAnswer, type SacpResponse } from "@signalbox/contracts/sacp";
import { answerOutcome } from "./answer-outcome.ts";

const MOST_OUTPUT = 65_536;

/** SACP-41: the result of an attempt whose agent answered in text. */
export function sacpResult(
  { protocolVersion, trace, execution }: TaskEnvelope,
  output: string,
  command: string,
): AgentResult {
  const { response, fault } = readAnswer(output);
  const { outcome, failureCode, failureReason } = answerOutcome(response);
  return create(AgentResultSchema, {
    ...(protocolVersion && { protocolVersion }),
    ...(trace && { trace }),
    status: {
      outcome,
      confidence: confidences[outcome] ?? Confidence.UNCERTAIN,
      summary: response.message,
      failureCode,
      failureReason: fault === null ? failureReason : `${failureReason} (${fault})`,
    },
    evidence: {
      evidencePayload: {
        case: "items",
        value: {
          items: [
            {
              type: EvidenceType.MANUAL,
              command,
              output: output.slice(0, MOST_OUTPUT).toWellFormed(),
              passed: failureCode === "",
            },
          ],
        },
      },
    },
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: execution?.attemptNumber ?? 0,
    response: agentResponse(response),
  });
}

/** A model that judges itself is not confident by that; what its status says is all that there is. */
const confidences: { readonly [outcome in Outcome]?: Confidence } = {
  [Outcome.SUCCESS]: Confidence.CONFIDENT,
  [Outcome.NON_RETRYABLE_FAILURE]: Confidence.BLOCKED,
};

/** An answer as the contract carries it; what it says beyond the protocol's fields stays behind. */
export const agentResponse = ({ thought, status, data, message, next_step_hint }: SacpResponse) => ({
  thought,
  status,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reader lets only JSON through
  data: data as JsonObject,
  message,
  nextStepHint: next_step_hint ?? "",
});
