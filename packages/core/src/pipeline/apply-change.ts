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

/**
 * The one way in which a state changes, for a decision and for a fold alike: that is why both end in the same state.
 * A change that names an unknown stage, or creates a second time, gives `undefined`.
 */
export function applyChange(state: PipelineState, change: StateChange): PipelineState | undefined {
  switch (change.kind) {
    case "created":
      return state.revision === 1 ? state : undefined;
    case "pipeline":
      return { ...state, ...change.set };
    case "stage":
      return withStage(state, change.stageId, change.set);
    case "escalation-opened":
      return { ...state, escalations: [...state.escalations, change.escalation] };
    case "escalation-closed":
      return {
        ...state,
        escalations: state.escalations.filter(({ escalationId }) => escalationId !== change.escalationId),
      };
  }
}

function withStage(
  state: PipelineState,
  stageId: string,
  set: Partial<StageState>,
): PipelineState | undefined {
  const index = stageIndex(state.plan, stageId);
  const stage = state.stages[index];
  if (stage === undefined) return undefined;
  return { ...state, stages: state.stages.with(index, { ...stage, ...set }) };
}

/** The state after a fact that made the given revision, or `undefined` when the fact does not belong to it. */
export function applyFact(
  state: PipelineState,
  { changes }: AuditFact,
  revision: number,
): PipelineState | undefined {
  let next: PipelineState | undefined = { ...state, revision };
  for (const change of changes) {
    next = applyChange(next, change);
    if (next === undefined) return undefined;
  }
  return next;
}
