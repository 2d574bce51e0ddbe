import { StageStatus } from "@signalbox/contracts";
import { applyChange } from "./apply-change.ts";
import { fateOf } from "./dependencies.ts";
import { BRANCH_NOT_TAKEN, decideEdges, type StageEnd } from "./edges.ts";
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

/** What a stage sets when it is over, with its edges decided where it has any. */
function settled(
  { plan }: StageView,
  set: Partial<StageState>,
  edgesTaken: readonly string[],
): Partial<StageState> {
  return plan.edges.length === 0 ? set : { ...set, edgesTaken };
}

/**
 * STAGE-3, SACP-22: once a stage is over, those that waited for it, and now for nothing else, are READY, or are SKIPPED since
 * no way led to them; and so on behind these.
 */
function releaseDependents(before: PipelineState, ended: StageView, change: StateChange): StateChange[] {
  const changes: StateChange[] = [];
  if (ended.plan.dependents.length === 0) return changes;
  let after = applyChange(before, change) ?? before;
  const over = [ended];
  for (const stage of over) {
    for (const index of stage.plan.dependents) {
      const dependent = stageAt(after, index);
      if (dependent?.state.status !== StageStatus.PENDING) continue;
      const fate = fateOf(after, index);
      if (fate === "waits") continue;
      const next = fate === "starts" ? enterReady(dependent) : notReached(dependent);
      changes.push(next);
      after = applyChange(after, next) ?? after;
      if (fate === "not-reached") over.push(dependent);
    }
  }
  return changes;
}

function notReached(stage: StageView): StateChange {
  const { taken } = decideEdges(stage, { kind: "not-reached" });
  return changeStage(
    stage,
    settled(stage, { status: StageStatus.SKIPPED, skipReason: BRANCH_NOT_TAKEN }, taken),
  );
}

/** A stage is over; with it, what waited for it begins. */
export function endStage(
  state: PipelineState,
  stage: StageView,
  set: Partial<StageState>,
  end: StageEnd = { kind: set.status === StageStatus.COMPLETED ? "completed" : "left-out" },
): StateChange[] {
  const base = { dispatch: null, hold: null, notBefore: null, wait: null, ...set };
  const taken = stage.plan.edges.length === 0 ? [] : decideEdges(stage, end).taken;
  const change = changeStage(stage, settled(stage, base, taken));
  return [change, ...releaseDependents(state, stage, change)];
}
