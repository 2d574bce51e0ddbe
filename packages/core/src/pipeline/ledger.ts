import type { AuditEventType } from "@signalbox/contracts";
import { makeChange } from "./apply-change.ts";
import type { Effect } from "./effect.ts";
import type { AuditFact, Decider, FactAction, FactSnapshot, StateChange } from "./fact.ts";
import { stageIndex, type StagePlan } from "./plan.ts";
import type { PipelineState, StageState } from "./state.ts";

/** A decision as it is being taken: the rules record facts one after the other, each on the state the last one left. */
export type Ledger = {
  state: PipelineState;
  readonly now: number;
  readonly effects: Effect[];
};

type Decision = {
  readonly eventType: AuditEventType;
  readonly action: FactAction;
  readonly rationale: string;
  readonly actor?: Decider;
  readonly stage?: StageView | undefined;
  readonly snapshot?: FactSnapshot;
  readonly changes?: readonly StateChange[];
};

export type StageView = { readonly index: number; readonly plan: StagePlan; readonly state: StageState };

export const orchestrator: Decider = { type: "orchestrator", id: "orchestrator" };

export const openLedger = (state: PipelineState, now: number): Ledger => ({ state, now, effects: [] });

export function stageAt(state: PipelineState, index: number): StageView | undefined {
  const plan = state.plan.stages[index];
  const stage = state.stages[index];
  return plan === undefined || stage === undefined ? undefined : { index, plan, state: stage };
}

export const stageNamed = (state: PipelineState, stageId: string): StageView | undefined =>
  stageAt(state, stageIndex(state.plan, stageId));

export function allStages({ plan, stages }: PipelineState): readonly StageView[] {
  const views: StageView[] = [];
  for (const [index, state] of stages.entries()) {
    const own = plan.stages[index];
    if (own !== undefined) views.push({ index, plan: own, state });
  }
  return views;
}

export const changeStage = ({ plan }: { plan: StagePlan }, set: Partial<StageState>): StateChange => ({
  kind: "stage",
  stageId: plan.stageId,
  set,
});

export const changePipeline = (set: Extract<StateChange, { kind: "pipeline" }>["set"]): StateChange => ({
  kind: "pipeline",
  set,
});

/** Records one fact and what it changes; what the world must be told of the changes follows from them. */
export function record(ledger: Ledger, decision: Decision): void {
  const { stage } = decision;
  const changes = decision.changes ?? [];
  const fact: AuditFact = {
    eventType: decision.eventType,
    action: decision.action,
    rationale: decision.rationale,
    actor: decision.actor ?? orchestrator,
    stageId: stage?.plan.stageId ?? null,
    dispatchId: stage?.state.dispatch?.dispatchId ?? null,
    attemptNumber: stage?.state.attemptNumber ?? 0,
    packId: stage?.state.dispatch?.packId ?? null,
    snapshot: decision.snapshot ?? null,
    changes,
    revision: ledger.state.revision + 1,
  };
  ledger.effects.push({ kind: "audit", fact });
  const state = { ...ledger.state, revision: ledger.state.revision + 1 };
  for (const change of changes) {
    announce(ledger.effects, state, change, fact.action);
    makeChange(state, change);
  }
  ledger.state = state;
}

function announce(effects: Effect[], state: PipelineState, change: StateChange, because: FactAction): void {
  const transition = transitionOf(state, change);
  switch (change.kind) {
    case "created":
      return;
    case "pipeline":
      if (transition !== undefined) effects.push(transition);
      return;
    case "stage":
      announceCancel(effects, stageNamed(state, change.stageId), change.set, because);
      if (transition !== undefined) effects.push(transition);
      return;
    case "escalation-opened":
      effects.push({ kind: "open-escalation", escalation: change.escalation });
      return;
    case "escalation-closed":
      effects.push({ kind: "close-escalation", escalationId: change.escalationId, end: change.end });
      return;
  }
}

type Transition = Extract<Effect, { kind: "pipeline-transition" | "stage-transition" }>;

/** What a change makes of a status, if anything: for a decision, and for who reads the record of one. */
export function transitionOf(state: PipelineState, change: StateChange): Transition | undefined {
  if (change.kind === "pipeline") {
    const { status: to } = change.set;
    const { status: from } = state;
    return to === undefined || to === from ? undefined : { kind: "pipeline-transition", from, to };
  }
  if (change.kind !== "stage") return undefined;
  const { status: to } = change.set;
  const stage = to === undefined ? undefined : stageNamed(state, change.stageId)?.state;
  if (stage === undefined || to === undefined || to === stage.status) return undefined;
  const { stageId, set } = change;
  const { attemptNumber = stage.attemptNumber, commit = stage.commit } = set;
  const gitHash = commit?.head ?? null;
  return { kind: "stage-transition", stageId, from: stage.status, to, attemptNumber, gitHash };
}

function announceCancel(
  effects: Effect[],
  stage: StageView | undefined,
  set: Partial<StageState>,
  because: FactAction,
): void {
  if (stage === undefined) return;
  const { stageId } = stage.plan;
  const { dispatch } = stage.state;
  // Whoever takes a dispatch away from an agent that has not reported cancels it: no rule can forget to (D6).
  if (dispatch !== null && dispatch.reportedAt === null && set.dispatch === null) {
    effects.push({ kind: "cancel-dispatch", stageId, dispatch, because });
  }
}
