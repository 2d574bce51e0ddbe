import { PipelineStatus, StageStatus } from "@signalbox/contracts";
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
export function claimsOf({ plan, status, stages }: PipelineState, now: number): Claim[] {
  const claims: Claim[] = [];
  if (status !== PipelineStatus.RUNNING) return claims;
  for (const { stageId, stageOrder, taskType } of plan.stages) {
    const stage = stages[stageOrder];
    if (stage?.status !== StageStatus.READY || stage.hold !== null) continue;
    if (stage.notBefore !== null && stage.notBefore > now) continue;
    claims.push({
      stageId,
      attemptNumber: stage.attemptNumber,
      taskType: stage.reroute?.taskType ?? taskType,
      onlyPackId: stage.reroute?.packId ?? null,
      waitingSince: stage.wait?.since ?? null,
    });
  }
  return claims;
}
