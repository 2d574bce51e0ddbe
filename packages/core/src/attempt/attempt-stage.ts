import type { JsonObject } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { AgentManifest, ContextLevel, Ref, RefFreshnessCheck, TaskEnvelope } from "@signalbox/contracts";
import { type AlwaysTold, assembleContext, effectiveContextLevel } from "../dispatch/assemble-context.ts";
import { buildEnvelope } from "../dispatch/build-envelope.ts";
import { decideDispatch, type DispatchDecision } from "../dispatch/decide-dispatch.ts";
import { dispatchSnapshot } from "../dispatch/dispatch-record.ts";
import { explainDispatch, type Explanation, restorableInstance } from "../dispatch/explain-dispatch.ts";
import {
  blockText,
  judgeFreshness,
  mayBeAccepted,
  type RefBlock,
  type RefreshOutcome,
  refsToRefresh,
} from "../dispatch/freshness.ts";
import { decisionText } from "../dispatch/reason-text.ts";
import type { WaitReason } from "../dispatch/reasons.ts";
import type { DispatchRequest } from "../dispatch/request.ts";
import { waitsBehindUntil } from "../dispatch/wait.ts";
import type { Snapshot } from "../dispatch/snapshot.ts";
import type { Claim } from "../pipeline/claim.ts";
import { deadlineAt } from "../pipeline/clock.ts";
import { propagateContext, type PropagatedContext } from "../pipeline/context/propagate-context.ts";
import type {
  DispatchDeferred,
  DispatchRefused,
  InputsUnfilled,
  StageDispatched,
} from "../pipeline/event.ts";
import { dispatchIdOf, idempotencyKeyOf } from "../pipeline/ids.ts";
import { type StageView, stageNamed } from "../pipeline/ledger.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { isSapSource } from "../sap/submission.ts";
import { dispatchSpans } from "../trace/dispatch-spans.ts";
import { executionSpanId, stageSpanId } from "../trace/span-ids.ts";
import type { StoredSpan } from "../trace/stored-span.ts";
import { answerFormat, manifestOf } from "./answer-format.ts";
import { inputsOf } from "./stage-inputs.ts";
import type { Task } from "./task.ts";

export type AttemptFacts = {
  readonly state: PipelineState;
  readonly task: Task;
  readonly snapshot: Snapshot;
  readonly tenantId: string;
  readonly traceId: string;
  /** Stages that wait besides this one, for admission. */
  readonly queueDepth: number;
  /** Of those, how many wait for the same task type and came before it. */
  readonly ahead: number;
  /** What came of fetching stale refs anew, by locator. */
  readonly refreshed: ReadonlyMap<string, RefreshOutcome>;
};

export type StageAttempt =
  | {
      readonly kind: "sent";
      readonly event: StageDispatched;
      readonly envelope: TaskEnvelope;
      readonly spans: readonly StoredSpan[];
      readonly policyVersion: string;
      readonly timeoutAt: number | null;
    }
  | { readonly kind: "refused"; readonly event: DispatchRefused }
  | { readonly kind: "deferred"; readonly event: DispatchDeferred }
  | { readonly kind: "unfilled"; readonly event: InputsUnfilled }
  /** These must be fetched anew before anything can be decided: ask again with what came of it. */
  | { readonly kind: "refresh"; readonly refs: readonly Ref[] }
  | { readonly kind: "deadline-reached" };

/**
 * ATT-2 (A2A 3.2, steps 1 to 5): one attempt to send a stage that may be sent, from its admission to its envelope. What
 * it gives is an event for the pipeline to decide on; nothing has happened yet.
 */
export function attemptStage(facts: AttemptFacts, claim: Claim, now: number): StageAttempt | undefined {
  const stage = stageNamed(facts.state, claim.stageId);
  if (stage === undefined) return undefined;
  const pipelineDeadline = deadlineAt(facts.state);
  if (pipelineDeadline !== null && pipelineDeadline <= now) return { kind: "deadline-reached" };
  const mapped = inputsOf(facts.state, stage, facts.task.stages[stage.index]);
  if (mapped?.kind === "unfilled") return { kind: "unfilled", event: unfilled(stage, mapped) };
  const request = requestOf(facts, claim, stage);
  const decision = decideDispatch(facts.snapshot, request, now);
  const explain = () => explainDispatch(facts.snapshot, request, now, decision);
  if (decision.kind === "wait") return deferred(facts, stage, decision, explain, now);
  if (decision.kind === "selected" && facts.ahead > 0) {
    // ATT-8: whoever it would take is for those who came before.
    const until = waitsBehindUntil(facts.snapshot, request, now);
    return deferred(facts, stage, { reason: "behind", until }, explain, now);
  }
  const explanation = explain();
  if (decision.kind === "escalate") return refusedByDispatch(facts, stage, explanation, decision);
  const inputs = mapped?.inputs ?? facts.task.submission.inputs;
  return sendOrBlock(facts, stage, explanation, decision, inputs, now);
}

const unfilled = (
  { plan, state }: StageView,
  { placeholder, problem }: { readonly placeholder: string; readonly problem: string },
): InputsUnfilled => ({
  kind: "inputs-unfilled",
  stageId: plan.stageId,
  attemptNumber: state.attemptNumber,
  problem: `The inputs of stage "${plan.stageId}" cannot be filled: ${placeholder} ${problem}`,
});

function deferred(
  facts: AttemptFacts,
  stage: StageView,
  { reason, until }: { readonly reason: WaitReason; readonly until: number },
  explain: () => Explanation,
  now: number,
): StageAttempt | undefined {
  if (waitsAlready(stage, reason, now)) return undefined;
  return {
    kind: "deferred",
    event: {
      kind: "dispatch-deferred",
      stageId: stage.plan.stageId,
      attemptNumber: stage.state.attemptNumber,
      reason,
      until,
      decision: snapshotOf(explain(), facts, stage, []),
    },
  };
}

/** SENT-7: it waits for the same reason until a time that has not come, so there is nothing new to record. */
const waitsAlready = ({ state: { wait } }: StageView, reason: WaitReason, now: number): boolean =>
  wait !== null && wait.reason === reason && now < wait.until;

function requestOf(
  { state, task, queueDepth }: AttemptFacts,
  claim: Claim,
  stage: StageView,
): DispatchRequest {
  return {
    taskType: claim.taskType,
    riskTier: task.riskTier,
    requiredTools: task.stages[stage.index]?.requiredTools ?? [],
    queueDepth,
    waitingSince: claim.waitingSince ?? undefined,
    deadlineAt: deadlineAt(state) ?? undefined,
    ...(claim.onlyPackId === null ? {} : { onlyPackId: claim.onlyPackId }),
  };
}

const levelOf = ({ task }: AttemptFacts, { index }: StageView): ContextLevel =>
  effectiveContextLevel(task.stages[index]?.config?.handoffPolicy?.contextLevel);

const snapshotOf = (
  explanation: Explanation,
  facts: AttemptFacts,
  stage: StageView,
  refFreshness: readonly RefFreshnessCheck[],
) =>
  dispatchSnapshot(explanation, {
    attemptNumber: stage.state.attemptNumber,
    contextLevel: levelOf(facts, stage),
    refFreshness,
  });

function refusedByDispatch(
  facts: AttemptFacts,
  stage: StageView,
  explanation: Explanation,
  { reason }: DispatchDecision & { kind: "escalate" },
): StageAttempt {
  return {
    kind: "refused",
    event: {
      kind: "dispatch-refused",
      stageId: stage.plan.stageId,
      attemptNumber: stage.state.attemptNumber,
      reason,
      problem: decisionText(explanation),
      decision: snapshotOf(explanation, facts, stage, []),
      quarantined: restorableInstance(explanation) ?? null,
    },
  };
}

type Selected = DispatchDecision & { kind: "selected" };

function sendOrBlock(
  facts: AttemptFacts,
  stage: StageView,
  explanation: Explanation,
  decision: Selected,
  inputs: JsonObject | undefined,
  now: number,
): StageAttempt {
  const { state, task, refreshed } = facts;
  const context = propagateContext(state, stage.plan.stageId, task.submission.contextIn);
  const refs = [...task.submission.refs, ...(context?.refs ?? [])];
  const policy = task.stages[stage.index]?.freshness;
  const stale = refsToRefresh(refs, policy, now);
  const outcomes = stale.flatMap(({ uriOrLocator }) => refreshed.get(uriOrLocator) ?? []);
  if (outcomes.length < stale.length) {
    return { kind: "refresh", refs: stale.filter(({ uriOrLocator }) => !refreshed.has(uriOrLocator)) };
  }
  const freshness = judgeFreshness(refs, policy, outcomes, now, stage.state.acceptedRefs);
  if (freshness.kind === "block") {
    // ATT-3 (A2A 3.2, step 4): stale refs under a strict policy block, and a person is asked.
    return {
      kind: "refused",
      event: {
        kind: "dispatch-refused",
        stageId: stage.plan.stageId,
        attemptNumber: stage.state.attemptNumber,
        reason: "stale-refs",
        problem: `References of stage "${stage.plan.stageId}" cannot be trusted: ${freshness.blocked.map(blockText).join("; ")}`,
        decision: { ...snapshotOf(explanation, facts, stage, freshness.checks), selectedPackId: "" },
        quarantined: null,
        staleRefs: freshness.blocked.map(({ uriOrLocator, digest }) => ({ uriOrLocator, digest })),
        ...accepting(freshness.blocked),
      },
    };
  }
  return send({
    facts,
    stage,
    explanation,
    decision,
    context,
    inputs,
    refs: freshness.refs,
    checks: freshness.checks,
    now,
  });
}

/** ATT-3: possible where it lets the attempt through, and recommended where trying again never can. */
function accepting(blocked: readonly RefBlock[]): Pick<DispatchRefused, "accepting"> {
  if (!blocked.every(mayBeAccepted)) return {};
  return { accepting: blocked.some(({ forGood }) => forGood) ? "recommended" : "possible" };
}

type Sending = {
  readonly facts: AttemptFacts;
  readonly stage: StageView;
  readonly explanation: Explanation;
  readonly decision: Selected;
  readonly context: PropagatedContext | undefined;
  readonly inputs: JsonObject | undefined;
  readonly refs: readonly Ref[];
  readonly checks: readonly RefFreshnessCheck[];
  readonly now: number;
};

/** SAP-8: how much of other stages' context a template lets through says nothing of the constitution that a task came with. */
function alwaysTold({ submission }: Task, context: PropagatedContext | undefined): AlwaysTold {
  const feedback = { sharedContext: "", taskDelta: context?.feedback ?? "" };
  if (context === undefined || !isSapSource(submission.contract?.taskId ?? "")) return feedback;
  return {
    sharedContext: submission.contextIn?.sharedContext ?? "",
    taskDelta: context.contextIn.taskDelta,
  };
}

function send(sending: Sending): StageAttempt {
  const { facts, stage, explanation, decision, context, inputs, refs, checks, now } = sending;
  const { state, task, snapshot, tenantId, traceId } = facts;
  const { plan, index } = stage;
  const { pipelineId } = state.plan;
  const { attemptNumber } = stage.state;
  const manifest = manifestOf(snapshot, decision);
  const timeoutMs = timeoutOf(manifest, task);
  const timeoutAt = timeoutMs === undefined ? null : now + timeoutMs;
  const contextLevel = levelOf(facts, stage);
  const contract = task.stages[index]?.contract ?? task.submission.contract;
  if (contract === undefined) throw new TypeError("a task without a contract was let through");
  const dispatchId = dispatchIdOf({ pipelineId, stageOrder: index, attemptNumber });
  const envelope = buildEnvelope(explanation, {
    contract,
    safety: task.submission.safety,
    refs,
    refFreshness: checks,
    contextIn: assembleContext(contextLevel, context?.contextIn, alwaysTold(task, context)),
    trace: {
      traceId,
      tenantId,
      spanId: executionSpanId(pipelineId, index, attemptNumber),
      parentSpanId: stageSpanId(pipelineId, index),
    },
    execution: {
      dispatchId,
      attemptNumber,
      idempotencyKey: idempotencyKeyOf(pipelineId, plan.stageId),
      deadlineAt: explanation.request.deadlineAt,
      timeoutMs,
      priority: task.priority,
      patchSizeLimit: task.patchSizeLimit,
    },
    ...(inputs === undefined ? {} : { inputs }),
    ...answerFormat(task.stages[index]?.config, manifest),
  });
  return {
    kind: "sent",
    envelope,
    policyVersion: explanation.policyVersion,
    timeoutAt,
    spans: dispatchSpans({
      explanation,
      sentAt: now,
      contextLevel,
      propagationMode: plan.propagation.mode,
      refFreshness: checks,
      leftOut: context?.leftOut.length ?? 0,
    }),
    event: {
      kind: "stage-dispatched",
      stageId: plan.stageId,
      dispatchId,
      attemptNumber,
      packId: decision.packId,
      packVersion: decision.packVersion,
      instanceId: decision.instanceId,
      riskTier: decision.riskTier,
      dueAt: timeoutAt,
      decision: snapshotOf(explanation, facts, stage, checks),
      rationale: decisionText(explanation),
    },
  };
}

/** ATT-4: a dispatch may take as long as the task allows one, and no longer than the pack says it ever needs. */
function timeoutOf(manifest: AgentManifest | undefined, task: Task): number | undefined {
  const longest = manifest?.interface?.maxTaskDuration;
  const limits = [task.timeoutMs, longest && durationMs(longest)].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
