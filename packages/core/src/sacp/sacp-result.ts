import { create } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  Confidence,
  EvidenceType,
  Outcome,
  type TaskEnvelope,
} from "@signalbox/contracts";
import { readAnswer } from "./read-answer.ts";

const MOST_OUTPUT = 65_536;

/** SACP-3 to SACP-5: the result of an attempt whose agent answered in text. */
export function sacpResult(
  { protocolVersion, trace, execution }: TaskEnvelope,
  output: string,
  command: string,
): AgentResult {
  const { answer, data, isFallback } = readAnswer(output);
  const { outcome, confidence } = isFallback ? unreadable : outcomes[answer.status];
  const isFailure = answer.status === "failure";
  return create(AgentResultSchema, {
    ...(protocolVersion && { protocolVersion }),
    ...(trace && { trace }),
    status: {
      outcome,
      confidence,
      summary: answer.message,
      failureCode: isFallback ? "SACP_UNPARSEABLE" : isFailure ? "SACP_FAILURE" : "",
      failureReason: isFailure ? answer.message : "",
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
              passed: !isFailure,
            },
          ],
        },
      },
    },
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: execution?.attemptNumber ?? 0,
    response: {
      thought: answer.thought,
      status: answer.status,
      data,
      message: answer.message,
      nextStepHint: answer.next_step_hint ?? "",
    },
  });
}

/** D12. A model that judges itself is not confident by that; what its status says is all that there is. */
const outcomes = {
  success: { outcome: Outcome.SUCCESS, confidence: Confidence.CONFIDENT },
  completed: { outcome: Outcome.SUCCESS, confidence: Confidence.CONFIDENT },
  failure: { outcome: Outcome.NON_RETRYABLE_FAILURE, confidence: Confidence.BLOCKED },
  clarification_needed: { outcome: Outcome.PARTIAL, confidence: Confidence.UNCERTAIN },
} as const;
const unreadable = { outcome: Outcome.RETRYABLE_FAILURE, confidence: Confidence.UNCERTAIN } as const;
