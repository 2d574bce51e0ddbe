import { AuditEventType, PipelineStatus, StageStatus } from "@signalbox/contracts";
import { cancelInFlight } from "./cancel.ts";
import { stopClock } from "./clock.ts";
import { supersede } from "./escalate.ts";
import type { Decider, FactAction, StateChange } from "./fact.ts";
import { allStages, changePipeline, changeStage, type Ledger, orchestrator, record } from "./ledger.ts";
import { pipelineSnapshot } from "./summarize.ts";

type Ending = {
  readonly status:
    | typeof PipelineStatus.COMPLETED
    | typeof PipelineStatus.FAILED
    | typeof PipelineStatus.ABORTED;
  readonly rationale: string;
  readonly actor?: Decider;
  /** What a person said of it, also where that is nothing; else the rationale is the reason. */
  readonly said?: { readonly reason: string; readonly escalationId: string | null };
  /** CLOCK-7: the task's own deadline ended it. */
  readonly onDeadline?: boolean;
};

const endings: {
  readonly [status in Ending["status"]]: { eventType: AuditEventType; action: FactAction };
} = {
  [PipelineStatus.COMPLETED]: {
    eventType: AuditEventType.PIPELINE_COMPLETED,
    action: "pipeline.completed",
  },
  [PipelineStatus.FAILED]: { eventType: AuditEventType.PIPELINE_FAILED, action: "pipeline.failed" },
  [PipelineStatus.ABORTED]: { eventType: AuditEventType.PIPELINE_ABORTED, action: "pipeline.aborted" },
};

/** PIPE-5: an end leaves nothing in flight, nothing claimable and no open question. END-1: who ended it and why stand in it. */
export function endPipeline(ledger: Ledger, ending: Ending): void {
  const { status, rationale, actor = orchestrator, said, onDeadline = false } = ending;
  const inFlight = ledger.state.stages.flatMap(({ dispatch }, index) => (dispatch === null ? [] : [index]));
  cancelInFlight(ledger, inFlight, { rationale, actor });
  const { state, now } = ledger;
  const end = { by: actor, ...(said ?? { reason: rationale, escalationId: null }) };
  const set = { status, endedAt: now, end, pause: null, clock: stopClock(state.clock, now) };
  record(ledger, {
    ...endings[status],
    ...(onDeadline ? { action: "pipeline.failed-on-deadline" as const } : {}),
    rationale,
    actor,
    snapshot: { case: "pipeline", value: pipelineSnapshot({ ...state, ...set }, now) },
    changes: [
      ...supersede(state, "pipeline-ended", () => true),
      ...stopStages(ledger, rationale, onDeadline ? "DEADLINE_EXCEEDED" : "PIPELINE_ENDED"),
      changePipeline(set),
    ],
  });
}

/** A stage that was at work has failed with its pipeline; one that only could have been sent goes back to PENDING. */
function stopStages({ state }: Ledger, reason: string, code: string): StateChange[] {
  return allStages(state).flatMap((stage) => {
    const { status, hold, attemptNumber } = stage.state;
    if (status === StageStatus.DISPATCHED) {
      const failure = { code, reason, attemptNumber, quarantined: null };
      return changeStage(stage, { status: StageStatus.FAILED, dispatch: null, hold: null, failure });
    }
    if (status === StageStatus.READY) {
      return changeStage(stage, { status: StageStatus.PENDING, notBefore: null, wait: null, hold: null });
    }
    return hold === null ? [] : changeStage(stage, { hold: null });
  });
}
