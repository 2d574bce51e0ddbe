import { ContextPropagationMode, StageStatus } from "@signalbox/contracts";
import { allStages, type StageView } from "../ledger.ts";
import type { PipelineState, StageResult } from "../state.ts";

/** A finished stage that another learns from. */
export type Source = { readonly stageId: string; readonly result: StageResult };

/** CARRY-1, CARRY-2, CARRY-3 (4.3): nothing; the stages it directly depends on; or all that completed. In stage order. */
export function sourcesOf(state: PipelineState, stage: StageView): Source[] {
  const { mode } = stage.plan.propagation;
  if (mode === ContextPropagationMode.NONE) return [];
  const previousOnly = mode === ContextPropagationMode.PREVIOUS;
  return allStages(state).flatMap(({ index, plan, state: { status, result } }) => {
    if (index === stage.index || status !== StageStatus.COMPLETED || result === null) return [];
    if (previousOnly && !stage.plan.dependsOn.includes(index)) return [];
    return { stageId: plan.stageId, result };
  });
}
