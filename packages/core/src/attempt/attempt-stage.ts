import type { JsonObject } from "@bufbuild/protobuf";
import { decideDispatch, type DispatchDecision } from "../dispatch/decide-dispatch.ts";
import { explainDispatch, type Explanation, restorableInstance } from "../dispatch/explain-dispatch.ts";
import {
  blockText,
  judgeFreshness,
  mayBeAccepted,
  type RefBlock,
  refsToRefresh,
} from "../dispatch/freshness.ts";
import { decisionText } from "../dispatch/reason-text.ts";
import type { WaitReason } from "../dispatch/reasons.ts";
import type { DispatchRequest } from "../dispatch/request.ts";
import type { Snapshot } from "../dispatch/snapshot.ts";
import { waitsBehindUntil } from "../dispatch/wait.ts";
import type { Claim } from "../pipeline/claim.ts";
import { deadlineAt } from "../pipeline/clock.ts";
import { propagateContext } from "../pipeline/context/propagate-context.ts";
import type { DispatchRefused, InputsUnfilled } from "../pipeline/event.ts";
import { type StageView, stageNamed } from "../pipeline/ledger.ts";
import { type AttemptFacts, snapshotOf, type StageAttempt } from "./attempt-facts.ts";
import { type Selected, sendAttempt } from "./send-attempt.ts";
import { inputsOf } from "./stage-inputs.ts";

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
  const { request, decision } = decided(facts.snapshot, requestOf(facts, claim, stage), stage, now);
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

/**
 * SENT-12: who was sent the stage and gave no result is passed over where another can take it, of those that the route allows
 * first. Where nobody else can, it may have been a restart: it is asked again.
 */
function decided(
  snapshot: Snapshot,
  request: DispatchRequest,
  { state: { lostBy } }: StageView,
  now: number,
) {
  const usual = { request, decision: decideDispatch(snapshot, request, now) };
  if (lostBy.length === 0 || usual.decision.kind !== "selected") return usual;
  const asked = { ...request, excluded: lostBy };
  const other = decideDispatch(snapshot, asked, now);
  const isOther = other.kind === "selected" && (!other.viaFallback || usual.decision.viaFallback);
  return isOther ? { request: asked, decision: other } : usual;
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
  return sendAttempt({
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
