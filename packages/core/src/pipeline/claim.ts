import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { allStages } from "./ledger.ts";
import type { PipelineState } from "./state.ts";

/** What dispatch must know of a stage that may be sent. */
export type Claim = {
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly taskType: string;
  /** Where an approved handoff sends it (D24). */
  readonly onlyPackId: string | null;
  readonly waitingSince: number | null;
};

/** SENT-8: the stages that may be sent now, in stage order; of each, what a handoff made of its task type and pack. */
export function claimsOf(state: PipelineState, now: number): Claim[] {
  if (state.status !== PipelineStatus.RUNNING) return [];
  return allStages(state).flatMap(({ plan, state: stage }) => {
    const due = stage.notBefore === null || stage.notBefore <= now;
    if (stage.status !== StageStatus.READY || stage.hold !== null || !due) return [];
    return {
      stageId: plan.stageId,
      attemptNumber: stage.attemptNumber,
      taskType: stage.reroute?.taskType ?? plan.taskType,
      onlyPackId: stage.reroute?.packId ?? null,
      waitingSince: stage.wait?.since ?? null,
    };
  });
}
