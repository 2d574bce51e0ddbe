import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  Confidence,
  ContractSchema,
  type EvidenceItemSchema,
  EvidenceType,
  Outcome,
  RiskTier,
  SafetyContextSchema,
} from "@signalbox/contracts";
import { compileRedactor, redact } from "../../redaction/redactor.ts";
import type { GateInput } from "../gate-input.ts";

const redactor = compileRedactor();

export type ItemInit = MessageInitShape<typeof EvidenceItemSchema>;
type ResultInit = Omit<MessageInitShape<typeof AgentResultSchema>, "evidence">;

export const passed = (type: EvidenceType, command: string): ItemInit => ({ type, command, passed: true });
export const failed = (type: EvidenceType, command: string): ItemInit => ({ type, command, passed: false });

export const aResult = (
  init: ResultInit = {},
  items: readonly ItemInit[] = [passed(EvidenceType.TEST, "pnpm test")],
): AgentResult =>
  create(AgentResultSchema, {
    status: { outcome: Outcome.SUCCESS, confidence: Confidence.CONFIDENT, summary: "done" },
    evidence: { evidencePayload: { case: "items", value: { items: [...items] } } },
    ...init,
  } as MessageInitShape<typeof AgentResultSchema>);

export const aContract = (init: MessageInitShape<typeof ContractSchema> = {}) => create(ContractSchema, init);
export const aSafety = (init: MessageInitShape<typeof SafetyContextSchema> = {}) =>
  create(SafetyContextSchema, init);

export const aGate = (change: Partial<GateInput> = {}): GateInput => ({
  masked: redact(redactor, toJson(AgentResultSchema, change.result ?? aResult())).marks,
  result: aResult(),
  contract: aContract(),
  safety: undefined,
  tier: RiskTier.LOW,
  patchSizeLimit: 0,
  stageId: "review",
  upstreamStageIds: ["implement", "analyse"],
  previousStageIds: ["implement"],
  escalateOnFlags: [],
  work: {},
  ...change,
});
