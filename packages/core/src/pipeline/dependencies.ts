import { StageStatus } from "@signalbox/contracts";
import type { PipelinePlan } from "./plan.ts";
import type { PipelineState } from "./state.ts";

/** D9: a dependency is satisfied by COMPLETED, or by SKIPPED where the stage was not required. */
function isSatisfied(state: PipelineState, index: number): boolean {
  const status = state.stages[index]?.status;
  if (status === StageStatus.COMPLETED) return true;
  return status === StageStatus.SKIPPED && maySkip(state.plan, index);
}

/** Whether a stage may start. The one place that says so: edges and joins (D10) are decided here when they come. */
export function dependenciesSatisfied(state: PipelineState, index: number): boolean {
  return (state.plan.stages[index]?.dependsOn ?? []).every((dependency) => isSatisfied(state, dependency));
}

/** SKIP-1: neither a required stage, nor any stage where all are required, is ever skipped. */
export function maySkip({ policy, stages }: PipelinePlan, index: number): boolean {
  return !policy.requireAllStages && stages[index]?.required === false;
}
