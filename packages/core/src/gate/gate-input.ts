import type { AgentResult, Contract, RiskTier, SafetyContext } from "@signalbox/contracts";
import type { Mark } from "../redaction/redact-value.ts";

/**
 * What is known of the work beyond the result: summarised from the stage's turns and events. What nobody reported is
 * absent, and the checks say so; a claim of zero is something else.
 */
export type WorkReport = {
  readonly toolsUsed?: readonly string[];
  readonly actionsTaken?: readonly string[];
  /** What tools were given to run. */
  readonly commandsRun?: readonly string[];
  readonly stepsTaken?: number;
  /** Lines added and removed, as the result or the turns tell. */
  readonly linesChanged?: number;
};

/** Everything that a gate judges on. Nothing else counts, so a judgement can be repeated from its record. */
export type GateInput = {
  readonly result: AgentResult;
  readonly contract: Contract;
  readonly safety: SafetyContext | undefined;
  /** The effective tier (D4). */
  readonly tier: RiskTier;
  /** Most lines the work may change; 0 sets no limit. */
  readonly patchSizeLimit: number;
  readonly stageId: string;
  /** Ids of the stages that this one depends on, directly or not: where a rejection may go back to. */
  readonly upstreamStageIds: readonly string[];
  /** Of these the ones that it depends on directly: the agents before it in the chain. */
  readonly previousStageIds: readonly string[];
  /** `escalation.auto_escalate_on_security_flag` of the stage's handoff policy. */
  readonly escalateOnFlags: readonly string[];
  readonly work: WorkReport;
  /** What was masked of the result when it came in: by then the secrets themselves are gone. */
  readonly masked: readonly Mark[];
};
