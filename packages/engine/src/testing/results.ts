import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  Confidence,
  EvidenceType,
  Outcome,
  type TaskEnvelope,
} from "@signalbox/contracts";

type Said = Omit<Extract<MessageInitShape<typeof AgentResultSchema>, { $typeName?: never }>, "status"> & {
  readonly outcome?: Outcome;
  readonly confidence?: Confidence;
  readonly summary?: string;
};

/** What an agent reports on an envelope: a success with passing evidence, unless it says otherwise. */
export function resultFor({ trace, execution, protocolVersion }: TaskEnvelope, said: Said = {}): AgentResult {
  const { outcome = Outcome.SUCCESS, confidence = Confidence.CONFIDENT, summary = "done", ...rest } = said;
  return create(AgentResultSchema, {
    protocolVersion: { schemaVersion: protocolVersion?.schemaVersion ?? "" },
    status: { outcome, confidence, summary },
    trace: {
      traceId: trace?.traceId ?? "",
      spanId: trace?.spanId ?? "",
      parentSpanId: trace?.parentSpanId ?? "",
      tenantId: trace?.tenantId ?? "",
      agentId: trace?.agentId ?? "",
    },
    evidence: {
      evidencePayload: {
        case: "items",
        value: { items: [{ type: EvidenceType.TEST, command: "true", passed: true, output: "ok" }] },
      },
    },
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: execution?.attemptNumber ?? 0,
    ...rest,
  });
}

/** A success that the gate does not believe: its own evidence says otherwise. */
export const failedEvidence: Said = {
  evidence: {
    evidencePayload: {
      case: "items",
      value: {
        items: [{ type: EvidenceType.TEST, command: "true", passed: false, output: "1 of 9 failed" }],
      },
    },
  },
};
