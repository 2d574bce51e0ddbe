import { FailureStrategy, PipelineStatus, StageStatus } from "@signalbox/contracts";
import { expect } from "vitest";
import { propagateContext } from "../context/propagate-context.ts";
import type { AuditFact } from "../fact.ts";
import type { PipelineEvent } from "../event.ts";
import type { PipelineState, StageState } from "../state.ts";
import type { Moment } from "./walk.ts";

type Decided = Extract<Moment["decision"], { kind: "decided" }>;
const factsOf = ({ effects }: Decided): AuditFact[] =>
  effects.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));

/** The last four invariants of 4.5: what a rejection does, what is counted against the budgets, and what the timer does. */
export function expectRewindsAndBudgets({ before, event, now, decision }: Moment): void {
  if (event.kind === "deadline-reached") expectExpiry(before, now, decision);
  if (decision.kind !== "decided") return;
  const facts = factsOf(decision);
  expectCounts(before, decision.state, facts);
  for (const fact of facts) {
    if (fact.action === "gate.rejected" || fact.action === "stage.rewound-by-person")
      expectRewind(before, decision.state, event, fact, endedLate(facts));
  }
}

/** An answer that lets a pipeline go on whose task's deadline has passed meanwhile ends it. */
const endedLate = (facts: readonly AuditFact[]): boolean =>
  facts.some(({ action }) => action === "pipeline.failed-on-deadline");

/** Total retries and total rejections: each that was used is one more, and nothing else moves either count. */
function expectCounts(before: PipelineState, after: PipelineState, facts: readonly AuditFact[]): void {
  const retried = after.stages.map((stage, index) =>
    Math.max(0, stage.retriesUsed - (before.stages[index]?.retriesUsed ?? 0)),
  );
  expect(after.retriesUsed - before.retriesUsed).toBe(retried.reduce((sum, one) => sum + one, 0));
  const rejections = facts.filter(({ action }) => action === "gate.rejected");
  expect(after.rejectionsUsed - before.rejectionsUsed).toBe(rejections.length);
}

/** On expiry, and not before: PAUSE + escalate; but the task's own deadline fails what fails fast, paused or not. */
function expectExpiry(
  { clock, status, plan }: PipelineState,
  now: number,
  decision: Moment["decision"],
): void {
  const { remainingMs, runningSince, endsAt } = clock;
  const isOver = remainingMs !== null && runningSince !== null && now - runningSince >= remainingMs;
  const isLate = endsAt !== null && now >= endsAt;
  const running = status === PipelineStatus.RUNNING;
  const failsFast = plan.policy.failureStrategy === FailureStrategy.FAIL_FAST;
  const fails = isLate && failsFast && (running || status === PipelineStatus.PAUSED);
  if (!fails && !(running && (isOver || isLate))) {
    expect(decision.kind).toBe("refused");
    return;
  }
  if (decision.kind !== "decided") throw new Error("a deadline that had come was refused");
  const { state } = decision;
  if (fails) {
    expect(state.status).toBe(PipelineStatus.FAILED);
    return;
  }
  expect(state.status).toBe(PipelineStatus.PAUSED);
  expect(state.pause?.reason).toBe("deadline");
  expect(state.escalations.at(-1)).toMatchObject({ cause: "deadline", stageId: null, blocking: true });
}

function expectRewind(
  before: PipelineState,
  after: PipelineState,
  event: PipelineEvent,
  { snapshot, action }: AuditFact,
  ended: boolean,
): void {
  const gate = snapshot?.case === "gate" ? snapshot.value : undefined;
  const target = stageOf(before, gate?.rewindTargetStage ?? "");
  const again = stageOf(after, gate?.rewindTargetStage ?? "");
  expect(again.status).toBe(ended ? StageStatus.PENDING : StageStatus.READY);
  expect(again.attemptNumber).toBe(target.attemptNumber + 1);

  const failing = (gate?.checks ?? []).flatMap(({ passed, gateName, evidence }) =>
    passed === true ? [] : { gateName, evidence },
  );
  const told = again.feedback.at(-1);
  expect(told).toMatchObject({ kind: "rejection", failedChecks: failing });
  expect(told?.by.type).toBe(action === "gate.rejected" ? "orchestrator" : "human");
  const { contextIn } = propagateContext(after, gate?.rewindTargetStage ?? "", undefined) ?? {};
  for (const text of [told?.text ?? "", ...failing.map(({ evidence }) => evidence ?? "")]) {
    expect(contextIn?.taskDelta).toContain(text);
  }
  for (const { description } of triedBefore(before, event, target)?.decisionsMade ?? []) {
    expect(contextIn?.taskDelta).toContain(description);
  }
  if (!ended) expectReach(before, after, gate?.rewindTargetStage ?? "");
}

/** What was tried: the result that was judged just now, where it was the target's own, or the one it had. */
function triedBefore(before: PipelineState, event: PipelineEvent, target: StageState) {
  const isOwn = event.kind === "result-accepted" && stageOf(before, event.stageId) === target;
  return isOwn ? event.result.contextOut : (target.result?.contextOut ?? target.priorContextOut);
}

/** D13: all that waits for the target starts afresh, and every other stage keeps all it has. */
function expectReach(before: PipelineState, after: PipelineState, targetId: string): void {
  const ids = before.plan.stages.map(({ stageId }) => stageId);
  const reset = new Set([ids.indexOf(targetId)]);
  for (const [index, { dependsOn }] of before.plan.stages.entries()) {
    if (dependsOn.some((dependency) => reset.has(dependency))) reset.add(index);
  }
  for (const [index, stage] of after.stages.entries()) {
    if (ids[index] === targetId) continue;
    if (reset.has(index)) {
      expect(stage).toMatchObject({ status: StageStatus.PENDING, result: null, dispatch: null, hold: null });
    } else if (!isJudged(before, index)) {
      // A wait that a pause held up goes on where it stood.
      expect({ ...stage, wait: null }).toEqual({ ...before.stages[index], wait: null });
    }
  }
}

/** The stage whose result was judged has a result now, whatever became of the target. */
const isJudged = ({ stages }: PipelineState, index: number): boolean =>
  stages[index]?.status === StageStatus.DISPATCHED;

function stageOf({ plan, stages }: PipelineState, stageId: string): StageState {
  const stage = stages[plan.stages.findIndex((one) => one.stageId === stageId)];
  if (stage === undefined) throw new Error(`no stage ${stageId}`);
  return stage;
}
