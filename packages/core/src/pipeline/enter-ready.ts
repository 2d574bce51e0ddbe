import { StageStatus } from "@signalbox/contracts";
import { dependenciesSatisfied } from "./dependencies.ts";
import type { StateChange } from "./fact.ts";
import { changeStage, stageAt, type StageView } from "./ledger.ts";
import type { PipelineState, StageState } from "./state.ts";

/** STAGE-2: every entry into READY is a new attempt, so no two dispatches of a stage share a number. */
export function enterReady(stage: StageView, set: Partial<StageState> = {}): StateChange {
  return changeStage(stage, {
    notBefore: null,
    wait: null,
    hold: null,
    failure: null,
    ...(stage.state.sendsLost === 0 ? {} : { sendsLost: 0 }),
    ...set,
    status: StageStatus.READY,
    attemptNumber: stage.state.attemptNumber + 1,
    dispatch: null,
  });
}

/** STAGE-3: once a stage is over, those that waited for it, and now for nothing else, are READY. */
function releaseDependents(state: PipelineState, ended: StageView, end: Partial<StageState>): StateChange[] {
  const after: PipelineState = {
    ...state,
    stages: state.stages.with(ended.index, { ...ended.state, ...end }),
  };
  return ended.plan.dependents.flatMap((index) => {
    const dependent = stageAt(after, index);
    if (dependent?.state.status !== StageStatus.PENDING || !dependenciesSatisfied(after, index)) return [];
    return enterReady(dependent);
  });
}

/** A stage ends well, or is left out; with it, what waited for it begins. */
export function endStage(state: PipelineState, stage: StageView, end: Partial<StageState>): StateChange[] {
  const settled = { dispatch: null, hold: null, notBefore: null, wait: null, ...end };
  return [changeStage(stage, settled), ...releaseDependents(state, stage, settled)];
}
