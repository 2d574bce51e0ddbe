import { StageStatus } from "@signalbox/contracts";
import { isHandled, isNotTaken, leadsTo } from "./edges.ts";
import type { PipelinePlan } from "./plan.ts";
import type { PipelineState } from "./state.ts";

/** A way from one stage to another that waits for it: an edge, or a plain dependency, which is one for success (D9, D10). */
type Way = "open" | "taken" | "not-taken";

function wayBetween(state: PipelineState, from: number, to: number): Way {
  const source = state.stages[from];
  const plan = state.plan.stages[from];
  const stageId = state.plan.stages[to]?.stageId ?? "";
  if (source === undefined || plan === undefined) return "open";
  if (plan.edges.length > 0 && leadsTo(plan, stageId)) {
    if (source.edgesTaken === null) return "open";
    return source.edgesTaken.includes(stageId) ? "taken" : "not-taken";
  }
  if (source.status === StageStatus.COMPLETED) return "taken";
  if (isNotTaken(source) || isHandled(source)) return "not-taken";
  return source.status === StageStatus.SKIPPED && maySkip(state.plan, from) ? "taken" : "open";
}

/** What becomes of a stage that waits: nothing yet, its start, or nothing ever, since too few ways lead to it. */
export type Fate = "waits" | "starts" | "not-reached";

/** STAGE-3, SACP-22: whether a stage may start, once all that leads to it is decided. The one place that says so. */
export function fateOf(state: PipelineState, index: number): Fate {
  const { dependsOn = [], join = "all" } = state.plan.stages[index] ?? {};
  let taken = 0;
  for (const source of dependsOn) {
    const way = wayBetween(state, source, index);
    if (way === "open") return "waits";
    if (way === "taken") taken += 1;
  }
  if (taken === dependsOn.length) return "starts";
  return join === "any" && taken > 0 ? "starts" : "not-reached";
}

/** SKIP-1: neither a required stage, nor any stage where all are required, is ever left out. */
export function maySkip({ policy, stages }: PipelinePlan, index: number): boolean {
  return !policy.requireAllStages && stages[index]?.required === false;
}

/** PIPE-3, SACP-25: over, and the pipeline can complete with it. */
export function isOver({ plan, stages }: PipelineState, index: number): boolean {
  const stage = stages[index];
  if (stage === undefined) return false;
  if (stage.status === StageStatus.COMPLETED || isHandled(stage)) return true;
  return stage.status === StageStatus.SKIPPED && (maySkip(plan, index) || isNotTaken(stage));
}
