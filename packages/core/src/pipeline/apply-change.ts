import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import type { AuditFact, StateChange } from "./fact.ts";
import type { PipelinePlan } from "./plan.ts";
import { stageIndex } from "./plan.ts";
import type { PipelineState, StageState } from "./state.ts";

const untouched: StageState = {
  status: StageStatus.PENDING,
  attemptNumber: 0,
  retriesUsed: 0,
  handoffsUsed: 0,
  sendsLost: 0,
  dispatch: null,
  notBefore: null,
  wait: null,
  hold: null,
  result: null,
  priorContextOut: null,
  feedback: [],
  failure: null,
  skipReason: null,
  commit: null,
  edgesTaken: null,
  doubtedAttempt: 0,
  reroute: null,
  acceptedRefs: [],
  lostBy: [],
};

/** A pipeline before anything happened to it. */
export function pendingPipeline(plan: PipelinePlan, startedAt: number): PipelineState {
  return {
    plan,
    status: PipelineStatus.PENDING,
    revision: 0,
    startedAt,
    endedAt: null,
    end: null,
    clock: { remainingMs: plan.policy.deadlineMs, runningSince: null, endsAt: plan.taskDeadlineAt },
    pause: null,
    retriesUsed: 0,
    rejectionsUsed: 0,
    stages: plan.stages.map(() => untouched),
    escalations: [],
    escalationsOpened: 0,
  };
}

/** A state that nobody holds yet but who makes it. */
export type StateInMaking = { -readonly [K in keyof PipelineState]: PipelineState[K] };

/**
 * The one way in which a state changes, for a decision and for a fold alike: that is why both end in the same state.
 * A change that names an unknown stage, or creates a second time, is none, and gives `false`.
 */
export function makeChange(state: StateInMaking, change: StateChange): boolean {
  switch (change.kind) {
    case "created":
      return state.revision === 1;
    case "pipeline":
      Object.assign(state, change.set);
      return true;
    case "stage":
      return changeStageIn(state, change.stageId, change.set);
    case "escalation-opened":
      state.escalations = [...state.escalations, change.escalation];
      return true;
    case "escalation-closed":
      state.escalations = state.escalations.filter(
        ({ escalationId }) => escalationId !== change.escalationId,
      );
      return true;
  }
}

function changeStageIn(state: StateInMaking, stageId: string, set: Partial<StageState>): boolean {
  const index = stageIndex(state.plan, stageId);
  const stage = state.stages[index];
  if (stage === undefined) return false;
  state.stages = state.stages.with(index, { ...stage, ...set });
  return true;
}

export function applyChange(state: PipelineState, change: StateChange): PipelineState | undefined {
  const next = { ...state };
  return makeChange(next, change) ? next : undefined;
}

/** The state after a fact that made the given revision, or `undefined` when the fact does not belong to it. */
export function applyFact(
  state: PipelineState,
  { changes }: AuditFact,
  revision: number,
): PipelineState | undefined {
  const next = { ...state, revision };
  return changes.every((change) => makeChange(next, change)) ? next : undefined;
}
