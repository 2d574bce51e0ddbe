import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { isOver } from "./dependencies.ts";
import { closeDoubts } from "./doubts.ts";
import { isHandled, noWayOn } from "./edges.ts";
import { endPipeline } from "./end-pipeline.ts";
import { allStages, type Ledger } from "./ledger.ts";
import { pausePipeline, resumePipeline } from "./pause.ts";
import type { PipelineState, StageState } from "./state.ts";

/**
 * What the stages now say of their pipeline, taken after every event. One that a person or the deadline paused is
 * left alone: only their word ends that pause, and what its stages became meanwhile is judged then.
 */
export function settle(ledger: Ledger): void {
  closeDoubts(ledger);
  const { status, pause } = ledger.state;
  if (status === PipelineStatus.PAUSED && pause?.reason === "waiting") {
    if (!isStuck(ledger.state)) {
      resumePipeline(ledger, "What was waited for is settled");
      settleRunning(ledger);
    }
    return;
  }
  if (status === PipelineStatus.RUNNING) settleRunning(ledger);
}

function settleRunning(ledger: Ledger): void {
  const { state } = ledger;
  if (state.status !== PipelineStatus.RUNNING) return;
  const failed = state.stages.findIndex(failedForGood);
  if (failed !== -1) {
    const stageId = state.plan.stages[failed]?.stageId ?? "";
    const reason = state.stages[failed]?.failure?.reason ?? "";
    endPipeline(ledger, {
      status: PipelineStatus.FAILED,
      rationale: `Stage "${stageId}" failed, and the policy is to fail fast: ${reason}`,
    });
  } else if (isComplete(state)) {
    endPipeline(ledger, { status: PipelineStatus.COMPLETED, rationale: completedText(state) });
  } else if (isStuck(state)) {
    const ids = state.escalations.map(({ escalationId }) => escalationId).join(", ");
    pausePipeline(ledger, "waiting", `Everything that is left waits for a person: ${ids}`);
  }
}

/** SACP-34: what was never begun because no way led to it is told where the pipeline ends. */
function completedText(state: PipelineState): string {
  const ends = allStages(state).flatMap((stage) => {
    const why = noWayOn(stage);
    return why === null ? [] : [`no way led on from "${stage.plan.stageId}": ${why}`];
  });
  return ["Every stage is over", ...ends].join("; ");
}

/** FAIL-1: failed, and neither is anybody asked what to do about it, nor does an edge lead on. */
const failedForGood = (stage: StageState): boolean =>
  stage.status === StageStatus.FAILED && stage.hold === null && !isHandled(stage);

/** PIPE-3 (4.5): all required stages COMPLETED, and the others COMPLETED or SKIPPED; branches that were not taken aside. */
const isComplete = (state: PipelineState): boolean => state.stages.every((_, index) => isOver(state, index));

const canMove = ({ status, hold }: StageState): boolean =>
  hold === null && (status === StageStatus.READY || status === StageStatus.DISPATCHED);

/** PAUSE-3: nothing moves, nothing failed for good, and it is not over: only a person gets it going. */
function isStuck(state: PipelineState): boolean {
  return !state.stages.some(canMove) && !state.stages.some(failedForGood) && !isComplete(state);
}
