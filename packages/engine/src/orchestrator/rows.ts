import { PipelineStatus, StageStatus, ActorType } from "@signalbox/contracts";
import {
  type AuditFact,
  auditEntryJson,
  type CurrentDispatch,
  deadlineAt,
  dispatchIdOf,
  type EntryContext,
  type Escalation,
  escalationEndJson,
  escalationJson,
  pipelineEvents,
  pipelineStateJson,
  type PipelineState,
  planJson,
  readEscalationId,
  refusalOf,
  stageStateJson,
  stageIndex,
  type StageState,
} from "@signalbox/core";
import type {
  DispatchKey,
  NewAuditEntry,
  NewOpenDispatch,
  NewStage,
  PipelineChange,
  StageChange,
} from "@signalbox/db";
import { SCHEMA_VERSION } from "../schema-version.ts";
import { eventRow } from "../stream/tell.ts";
import type { Draft, SentDispatch } from "./draft.ts";

type Tenanted<T> = T & { readonly tenantId: string };

export function auditRows({ key, facts, traceId }: Draft): Tenanted<NewAuditEntry>[] {
  const context = { ...key, traceId, schemaVersion: SCHEMA_VERSION };
  return facts.map((fact) => auditRow(fact, context));
}

function auditRow(fact: AuditFact, context: EntryContext): Tenanted<NewAuditEntry> {
  return {
    tenantId: context.tenantId,
    pipelineId: context.pipelineId,
    traceId: context.traceId,
    eventType: fact.eventType,
    actor: { type: actorTypes[fact.actor.type], id: fact.actor.id },
    stageId: fact.stageId ?? undefined,
    dispatchId: fact.dispatchId ?? undefined,
    attemptNumber: fact.attemptNumber || undefined,
    packId: fact.packId ?? undefined,
    payload: JSON.stringify(auditEntryJson(fact, context)),
  };
}

const actorTypes = {
  orchestrator: ActorType.ORCHESTRATOR,
  agent: ActorType.AGENT,
  human: ActorType.HUMAN,
  system: ActorType.SYSTEM,
} as const;

export const taskRow = ({ key, created, state }: Draft) => ({
  ...key,
  task: created?.submission ?? "{}",
  plan: JSON.stringify(planJson(state.plan)),
});

const columnsOf = (state: PipelineState) => ({
  revision: state.revision,
  status: state.status,
  state: JSON.stringify(pipelineStateJson(state)),
  dueAt: deadlineAt(state),
  endedAt: state.endedAt,
});

export const newPipelineRow = ({ key, state, traceId, created }: Draft) => ({
  ...key,
  ...columnsOf(state),
  name: state.plan.pipelineName,
  templateId: state.plan.templateId,
  templateVersion: state.plan.templateVersion,
  traceId,
  sourceTaskId: state.plan.sourceTaskId || null,
  taskTitle: created?.title || null,
  submittedByType: actorTypes[state.plan.submitter.type],
  submittedBy: state.plan.submitter.id,
});

/** Undefined where only entries were added that belong to no state. */
export function pipelineChange({ key, before, state }: Draft): PipelineChange | undefined {
  if (before === undefined || before.revision === state.revision) return undefined;
  return { ...key, expectedRevision: before.revision, ...columnsOf(state) };
}

export const newStageRows = (draft: Draft, now: number): NewStage[] =>
  draft.state.plan.stages.flatMap(({ stageId }, stageOrder) => ({
    ...stageChange(draft, stageOrder, now),
    stageId,
  }));

/** The stages that changed, and those whose place in the queue did. */
export function stageChanges(draft: Draft, now: number): StageChange[] {
  const { before, state, postponed } = draft;
  if (before === undefined) return [];
  const queueMoved = isRunning(before) !== isRunning(state);
  return state.stages.flatMap((stage, stageOrder) => {
    const same = stage === before.stages[stageOrder] && !postponed.has(stageOrder);
    if (same && !(queueMoved && stage.status === StageStatus.READY)) return [];
    return stageChange(draft, stageOrder, now);
  });
}

const isRunning = ({ status }: PipelineState): boolean => status === PipelineStatus.RUNNING;

function stageChange({ key, state, postponed }: Draft, stageOrder: number, now: number): StageChange {
  const stage = state.stages[stageOrder];
  if (stage === undefined) throw new RangeError(`the pipeline has no stage at ${stageOrder}`);
  return {
    ...key,
    stageOrder,
    taskType: taskTypeOf(state, stageOrder),
    status: stage.status,
    attemptNumber: stage.attemptNumber,
    state: JSON.stringify(stageStateJson(stage)),
    ...queuePlace(state, stage, postponed.get(stageOrder), now),
  };
}

const taskTypeOf = ({ plan, stages }: PipelineState, stageOrder: number): string =>
  stages[stageOrder]?.reroute?.taskType ?? plan.stages[stageOrder]?.taskType ?? "";

type QueuePlace = { readonly claimableAt: number | null; readonly waitingSince: number | null };

/**
 * READY and sent to nobody: when to look at it next, and since when it stands in line for whoever becomes free. One that
 * backs off, or whose refs are being fetched, stands in no line.
 */
function queuePlace(
  state: PipelineState,
  stage: StageState,
  postponed: number | undefined,
  now: number,
): QueuePlace {
  if (stage.status !== StageStatus.READY || stage.hold !== null || !isRunning(state)) {
    return { claimableAt: null, waitingSince: null };
  }
  const { wait, notBefore } = stage;
  if (postponed !== undefined) return { claimableAt: postponed, waitingSince: null };
  if (wait !== null) return { claimableAt: wait.until, waitingSince: wait.since };
  return { claimableAt: notBefore === null ? now : Math.max(notBefore, now), waitingSince: null };
}

/** Stages of a pipeline that stand in line, by task type: those on record as waiting, whatever the time is. */
export function standingInLine(state: PipelineState | undefined): string[] {
  if (state === undefined || state.stages.every(({ wait }) => wait === null)) return [];
  return state.stages.flatMap((stage, order) =>
    queuePlace(state, stage, undefined, 0).waitingSince === null ? [] : taskTypeOf(state, order),
  );
}

export const dispatchRow = ({ key }: Draft, sent: SentDispatch) => ({
  ...key,
  stageOrder: sent.stageOrder,
  attemptNumber: sent.attemptNumber,
  stageId: sent.stageId,
  taskType: sent.taskType,
  packId: sent.dispatch.packId,
  packVersion: sent.dispatch.packVersion,
  instanceId: sent.dispatch.instanceId,
  policyVersion: sent.policyVersion,
  envelope: sent.envelope,
  spans: JSON.stringify(sent.spans),
});

export const openDispatchRow = ({ key }: Draft, sent: SentDispatch, takeBy: number): NewOpenDispatch => ({
  ...key,
  stageOrder: sent.stageOrder,
  attemptNumber: sent.attemptNumber,
  stageId: sent.stageId,
  taskType: sent.taskType,
  packId: sent.dispatch.packId,
  instanceId: sent.dispatch.instanceId,
  timeoutAt: sent.timeoutAt,
  takeBy: sent.handedTo === undefined ? takeBy : null,
  leaseMs: sent.handedTo?.leaseMs ?? null,
});

/** The dispatch of a stage whose agent has not reported yet. */
function openAt(state: PipelineState, stageOrder: number): CurrentDispatch | undefined {
  const dispatch = state.stages[stageOrder]?.dispatch ?? null;
  return dispatch === null || dispatch.reportedAt !== null ? undefined : dispatch;
}

/** Dispatches that were open when the pipeline was locked and are not any more. */
export function endedDispatches({ key, before, state }: Draft): DispatchKey[] {
  const ended: DispatchKey[] = [];
  if (before === undefined) return ended;
  for (let stageOrder = 0; stageOrder < before.stages.length; stageOrder += 1) {
    const was = openAt(before, stageOrder);
    if (was === undefined || was.dispatchId === openAt(state, stageOrder)?.dispatchId) continue;
    ended.push({ ...key, stageOrder, attemptNumber: was.attemptNumber });
  }
  return ended;
}

/** Those of the batch's own dispatches that it did not call off again itself. */
export const stillOpen = ({ state, sent }: Draft): SentDispatch[] =>
  sent.filter(({ stageOrder, dispatch }) => openAt(state, stageOrder)?.dispatchId === dispatch.dispatchId);

export const openedEscalations = (draft: Draft) =>
  draft.opened.map((escalation) => ({
    ...draft.key,
    number: readEscalationId(escalation.escalationId)?.number ?? 0,
    stageId: escalation.stageId,
    cause: escalation.cause,
    ...whatItIsAbout(draft, escalation),
    refusal: refusalFor(draft, escalation),
    escalation: JSON.stringify(escalationJson(escalation)),
  }));

/** The question stands right behind the refusal that it asks about. */
function refusalFor({ facts }: Draft, { cause, stageId }: Escalation): string | null {
  if (cause !== "dispatch-refused") return null;
  const refused = facts.findLast((fact) => fact.stageId === stageId && refusalOf(fact) !== undefined);
  return (refused && refusalOf(refused)) ?? null;
}

/** By what an inbox is searched and like cases are found: the stage's task type, and the pack that had the attempt. */
function whatItIsAbout(
  { before, state }: Draft,
  { stageId, attemptNumber, quarantined }: Escalation,
): { taskType: string; packId: string | null } {
  if (stageId === null) return { taskType: "", packId: null };
  const order = stageIndex(state.plan, stageId);
  const had = [state, before]
    .map((one) => one?.stages[order]?.dispatch ?? null)
    .find((dispatch) => dispatch?.attemptNumber === attemptNumber);
  return { taskType: taskTypeOf(state, order), packId: had?.packId ?? quarantined?.packId ?? null };
}

export const closedEscalations = ({ key, closed }: Draft) =>
  closed.map(({ escalationId, end }) => ({
    ...key,
    number: readEscalationId(escalationId)?.number ?? 0,
    closing: JSON.stringify(escalationEndJson(end)),
  }));

export const cancelRows = ({ key: { tenantId }, cancelled }: Draft) =>
  cancelled.map(({ packId, instanceId, dispatchId }) => ({ tenantId, packId, instanceId, dispatchId }));

/** What came for dispatches that were called off: whoever sent it knows by the answer that it is over. */
export const lateReports = ({ key, results }: Draft) =>
  results
    .filter(({ standing }) => standing === "stale")
    .map(({ stageOrder, attemptNumber }) => {
      const place = Object.assign({ stageOrder, attemptNumber }, key);
      return Object.assign(place, { dispatchId: dispatchIdOf(place) });
    });

/** Instances that sent a valid result: their count of invalid ones in a row begins anew (D7). */
export const soundInstances = ({ key: { tenantId }, before, results }: Draft) =>
  results.flatMap(({ standing, stageOrder }) => {
    const dispatch = before?.stages[stageOrder]?.dispatch;
    if (standing !== "counted" || dispatch === undefined || dispatch === null) return [];
    return { tenantId, packId: dispatch.packId, instanceId: dispatch.instanceId };
  });

export const resultRows = ({ key, results }: Draft) =>
  results.map(({ spans, ...result }) => ({ ...key, ...result, spans: JSON.stringify(spans) }));

/** What readers of the stream are told of a pipeline's step, in the order in which it was decided. */
export const eventRows = ({ key, traceId, state: { revision }, facts, transitions, opened, closed }: Draft) =>
  pipelineEvents({ ...key, traceId, revision, facts, transitions, opened, closed }).map((event) =>
    eventRow(key.tenantId, event),
  );
