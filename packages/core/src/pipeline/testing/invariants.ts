import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { expect } from "vitest";
import { decide } from "../decide.ts";
import type { Effect } from "../effect.ts";
import type { PipelineEvent } from "../event.ts";
import type { FactAction } from "../fact.ts";
import { finished, pipelineTransitions, stageTransitions } from "../permits.ts";
import { MAX_HANDED_BACK } from "../stage-failure.ts";
import type { PipelineState } from "../state.ts";
import { expectRewindsAndBudgets } from "./rewinds-and-budgets.ts";
import type { Moment } from "./walk.ts";

const { READY, DISPATCHED, COMPLETED, SKIPPED, PENDING, FAILED, REJECTED } = StageStatus;

/** What 4.5 and SPEC.md say of every state, told apart from the code that makes it so; the permits' tables are its own. */
function expectSound(state: PipelineState): void {
  expectPipeline(state);
  expectQuestions(state);
  for (const index of state.stages.keys()) expectStage(state, index);
}

function expectPipeline({ status, stages, plan, pause, clock, ...state }: PipelineState): void {
  const free = stages.filter(({ hold }) => hold === null);
  const mayBeSkipped = (index: number) =>
    !plan.policy.requireAllStages && plan.stages[index]?.required === false;
  if (status === PipelineStatus.RUNNING) {
    expect(free.some((one) => one.status === READY || one.status === DISPATCHED)).toBe(true);
    expect(pause).toBeNull();
    expect(clock.runningSince).not.toBeNull();
  } else {
    expect(clock.runningSince).toBeNull();
  }
  if (status === PipelineStatus.PAUSED) expect(pause).not.toBeNull();
  if (status === PipelineStatus.PAUSED && pause?.reason !== "person") {
    expect(state.escalations.length).toBeGreaterThan(0);
  }
  if (status === PipelineStatus.COMPLETED) {
    for (const [index, one] of stages.entries()) {
      const handled = one.status === FAILED && (one.edgesTaken?.length ?? 0) > 0;
      const leftOut =
        one.status === SKIPPED && (mayBeSkipped(index) || one.skipReason === "branch not taken");
      expect(one.status === COMPLETED || handled || leftOut).toBe(true);
    }
  }
  if (finished.includes(status)) {
    expect(state.escalations).toEqual([]);
    expect(stages.filter((one) => one.status === READY || one.status === DISPATCHED)).toEqual([]);
    expect(stages.filter(({ dispatch, hold }) => dispatch !== null || hold !== null)).toEqual([]);
  }
  expect(state.endedAt === null).toBe(!finished.includes(status));
  expect(state.end === null).toBe(state.endedAt === null);
  expect(state.retriesUsed).toBeLessThanOrEqual(plan.policy.maxTotalRetries);
  expect(state.rejectionsUsed).toBeLessThanOrEqual(plan.policy.maxRejections);
  expect(clock.remainingMs ?? 0).toBeGreaterThanOrEqual(0);
}

function expectQuestions({ escalations, stages, plan, escalationsOpened }: PipelineState): void {
  const held = stages.flatMap(({ hold }) => hold ?? []);
  const about = escalations.filter(({ stageId }) => stageId !== null);
  const holding = about.filter(({ blocking }) => blocking);
  expect(held.toSorted()).toEqual(holding.map(({ escalationId }) => escalationId).toSorted());
  expect(new Set(held).size).toBe(held.length);
  expect(escalations.length).toBeLessThanOrEqual(escalationsOpened);
  for (const { stageId, escalationId, attemptNumber, options, recommended, blocking, cause } of about) {
    const one = stages[plan.stages.findIndex((planned) => planned.stageId === stageId)];
    expect(options).toContain(recommended);
    if (blocking) expect(one?.hold).toBe(escalationId);
    else {
      // D17: of the attempt that is at work, once, and nothing waits for it.
      expect(cause).toBe("low-confidence");
      expect(one).toMatchObject({ status: DISPATCHED, attemptNumber, doubtedAttempt: attemptNumber });
    }
  }
}

/** Whether a stage's end led on to another: `undefined` while that is open. D9 and D10 once more, in other words. */
function wayFrom(
  { stages, plan }: Pick<PipelineState, "stages" | "plan">,
  from: number,
  stageId: string,
): boolean | undefined {
  const source = stages[from];
  const planned = plan.stages[from];
  if (planned?.edges.some(({ to }) => to === stageId)) return source?.edgesTaken?.includes(stageId);
  if (source?.status === COMPLETED) return true;
  if (source?.status === FAILED && source.edgesTaken !== null) return false;
  if (source?.status !== SKIPPED) return undefined;
  return source.skipReason !== "branch not taken";
}

function expectStage({ stages, plan, status: standing }: PipelineState, index: number): void {
  const ended = finished.includes(standing);
  const one = stages[index];
  const planned = plan.stages[index];
  if (one === undefined || planned === undefined) throw new Error(`no stage ${index}`);
  const ways = planned.dependsOn.map((dependency) => wayFrom({ stages, plan }, dependency, planned.stageId));
  const notReached = one.status === SKIPPED && one.skipReason === "branch not taken";
  const reached = ways.every((way) => way === true) || (planned.join === "any" && ways.includes(true));
  if ([READY, DISPATCHED, COMPLETED, SKIPPED].some((status) => status === one.status)) {
    expect(ways).not.toContain(undefined);
    expect(reached).toBe(!notReached);
  }
  if (one.status === PENDING && !ended) expect(ways.length === 0 || ways.includes(undefined)).toBe(true);
  const decided = one.status === COMPLETED || one.status === SKIPPED;
  if (decided) expect(one.edgesTaken === null).toBe(planned.edges.length === 0);
  if (!decided && one.status !== FAILED) expect(one.edgesTaken).toBeNull();
  const targets = planned.edges.map(({ to }) => to);
  expect(targets).toEqual(expect.arrayContaining([...(one.edgesTaken ?? [])]));
  expect(one.status).not.toBe(REJECTED);
  expect(one.dispatch !== null).toBe(one.status === DISPATCHED);
  if (one.dispatch !== null) {
    expect(one.dispatch.attemptNumber).toBe(one.attemptNumber);
    expect(one.dispatch.reportedAt !== null).toBe(one.hold !== null);
  }
  expect(one.wait === null || (one.status === READY && one.hold === null)).toBe(true);
  expect(one.notBefore === null || one.status === READY).toBe(true);
  if (one.status === COMPLETED) expect(one.result).not.toBeNull();
  if (one.status === PENDING)
    expect([one.hold, one.dispatch, one.result, one.notBefore]).toEqual([null, null, null, null]);
  if (one.status === FAILED) expect(one.failure).not.toBeNull();
  if (one.status === SKIPPED && !notReached)
    expect(planned.required || plan.policy.requireAllStages).toBe(false);
  expect(one.retriesUsed).toBeLessThan(planned.retry.maxAttempts);
  expect(one.sendsLost).toBeLessThan(Math.max(planned.retry.maxAttempts, MAX_HANDED_BACK + 1));
}

/** What holds of a moment, whether something was decided or refused. */
export function expectMoment(moment: Moment): void {
  const { before, event, now, decision } = moment;
  expect(decide(before, event, now)).toEqual(decision);
  expectRewindsAndBudgets(moment);
  if (decision.kind === "decided") {
    expectSound(decision.state);
    expectLegalStep(before, decision.state, decision.effects);
    // COMMIT-1: the same again is nothing new; every other event that is taken is on record.
    if (saysKnownCommit(before, event)) expect(decision).toMatchObject({ state: before, effects: [] });
    else expect(decision.state.revision).toBeGreaterThan(before.revision);
  } else {
    expect(decision.record.flatMap(({ changes, revision }) => [...changes, revision ?? []].flat())).toEqual(
      [],
    );
  }
}

const saysKnownCommit = ({ plan, stages }: PipelineState, event: PipelineEvent): boolean =>
  event.kind === "commit-noted" &&
  stages[plan.stages.findIndex(({ stageId }) => stageId === event.stageId)]?.commit?.head === event.gitHash;

/** What holds between one state and the next, and of what the world was told about it. */
function expectLegalStep(before: PipelineState, after: PipelineState, effects: readonly Effect[]): void {
  expect(after.plan).toBe(before.plan);
  const facts = effects.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));
  expect(facts.map(({ revision }) => revision)).toEqual(facts.map((_, index) => before.revision + 1 + index));
  expect(after.revision).toBe(before.revision + facts.length);
  for (const effect of effects) {
    if (effect.kind === "stage-transition") expect(stageTransitions.get(effect.from)).toContain(effect.to);
    if (effect.kind === "pipeline-transition")
      expect(pipelineTransitions.get(effect.from)).toContain(effect.to);
    if (effect.kind === "stage-ready") expect(after.status).toBe(PipelineStatus.RUNNING);
  }
  for (const [index, one] of after.stages.entries()) {
    expect(one.attemptNumber).toBeGreaterThanOrEqual(before.stages[index]?.attemptNumber ?? 0);
  }
  expect(after.retriesUsed).toBeGreaterThanOrEqual(before.retriesUsed);
  expect(after.rejectionsUsed).toBeGreaterThanOrEqual(before.rejectionsUsed);
  expectCancels(before, after, effects);
}

const openDispatches = ({ stages }: PipelineState): string[] =>
  stages.flatMap(({ dispatch }) => (dispatch?.reportedAt === null ? dispatch.dispatchId : []));

const reports = new Set<FactAction>(["result.received", "result.invalid", "handoff.approved"]);

/** Every dispatch that was open and is no more was either reported on by this very event, or cancelled once. */
function expectCancels(before: PipelineState, after: PipelineState, effects: readonly Effect[]): void {
  const cancelled = effects.flatMap((effect) =>
    effect.kind === "cancel-dispatch" ? effect.dispatch.dispatchId : [],
  );
  const reported = new Set(
    effects.flatMap((effect) =>
      effect.kind === "audit" && reports.has(effect.fact.action) ? (effect.fact.dispatchId ?? []) : [],
    ),
  );
  const stillOpen = new Set(openDispatches(after));
  const gone = openDispatches(before).filter((id) => !stillOpen.has(id) && !reported.has(id));
  expect(cancelled.toSorted()).toEqual(gone.toSorted());
}
