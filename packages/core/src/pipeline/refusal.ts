import type { ErrorCode, PipelineStatus, StageStatus } from "@signalbox/contracts";
import type { EscalationOption } from "./escalation.ts";
import type { PauseReason } from "./state.ts";

/** Why an event does not fit the state, with the facts it was judged on. A refused event changes nothing. */
export type Refusal =
  | { readonly reason: "pipeline-finished"; readonly status: PipelineStatus }
  | { readonly reason: "pipeline-paused"; readonly pause: PauseReason }
  | { readonly reason: "pipeline-not-started" }
  | { readonly reason: "pipeline-not-paused" }
  | { readonly reason: "already-paused"; readonly pause: PauseReason }
  | { readonly reason: "waiting-for-people"; readonly escalationIds: readonly string[] }
  | { readonly reason: "deadline-passed" }
  | { readonly reason: "unknown-stage"; readonly stageId: string; readonly allowed: readonly string[] }
  | { readonly reason: "wrong-stage-status"; readonly stageId: string; readonly status: StageStatus }
  | { readonly reason: "stage-not-reached"; readonly stageId: string }
  | { readonly reason: "stage-held"; readonly stageId: string; readonly escalationId: string }
  | { readonly reason: "already-waiting"; readonly stageId: string; readonly until: number }
  | { readonly reason: "not-due"; readonly dueAt: number | null }
  | { readonly reason: "stale-attempt"; readonly stageId: string; readonly attemptNumber: number }
  | {
      readonly reason: "stale-dispatch";
      readonly stageId: string;
      readonly current: { readonly dispatchId: string; readonly attemptNumber: number } | null;
    }
  | { readonly reason: "already-reported"; readonly dispatchId: string }
  | { readonly reason: "already-doubted"; readonly stageId: string; readonly attemptNumber: number }
  | { readonly reason: "gate-not-judged"; readonly stageId: string }
  | { readonly reason: "advance-without-success"; readonly stageId: string }
  | {
      readonly reason: "target-not-upstream";
      readonly stageId: string;
      readonly targetStageId: string;
      /** Itself and what it depends on, as far as it was reached. */
      readonly allowed: readonly string[];
    }
  | { readonly reason: "unknown-escalation"; readonly escalationId: string }
  | { readonly reason: "already-resolved"; readonly escalationId: string }
  | {
      readonly reason: "option-not-offered";
      readonly option: EscalationOption;
      readonly offered: readonly EscalationOption[];
    }
  | { readonly reason: "own-submission" }
  | { readonly reason: "empty-answer" }
  | { readonly reason: "extension-not-positive"; readonly byMs: number };

export type RefusalReason = Refusal["reason"];

/** The answer's code on every transport. */
export const refusalCode: { readonly [reason in RefusalReason]: ErrorCode } = {
  "pipeline-finished": "INVALID_STATE",
  "pipeline-paused": "INVALID_STATE",
  "pipeline-not-started": "INVALID_STATE",
  "pipeline-not-paused": "INVALID_STATE",
  "already-paused": "INVALID_STATE",
  "waiting-for-people": "INVALID_STATE",
  "deadline-passed": "INVALID_STATE",
  "unknown-stage": "NOT_FOUND",
  "wrong-stage-status": "INVALID_STATE",
  "stage-not-reached": "INVALID_STATE",
  "stage-held": "INVALID_STATE",
  "already-waiting": "INVALID_STATE",
  "not-due": "INVALID_STATE",
  "stale-attempt": "STALE_DISPATCH",
  "stale-dispatch": "STALE_DISPATCH",
  "already-reported": "STALE_DISPATCH",
  "already-doubted": "INVALID_STATE",
  "gate-not-judged": "INTERNAL",
  "advance-without-success": "INTERNAL",
  "target-not-upstream": "VALIDATION_FAILED",
  "unknown-escalation": "NOT_FOUND",
  "already-resolved": "ALREADY_RESOLVED",
  "option-not-offered": "VALIDATION_FAILED",
  "own-submission": "FORBIDDEN",
  "empty-answer": "VALIDATION_FAILED",
  "extension-not-positive": "VALIDATION_FAILED",
};
