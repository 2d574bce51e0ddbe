import { FailureStrategy, StageStatus } from "@signalbox/contracts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import { maySkip } from "./dependencies.ts";
import { decideEdges } from "./edges.ts";
import { endStage, enterReady } from "./enter-ready.ts";
import { escalate } from "./escalate.ts";
import type { FactAction, RetryBudget, StateChange } from "./fact.ts";
import { changePipeline, changeStage, type Ledger, stageAt, type StageView } from "./ledger.ts";
import { backoffMs } from "./retry.ts";
import type { Feedback, PipelineState, StageFailure, StageState } from "./state.ts";

export type Failure = {
  readonly stage: StageView;
  readonly code: string;
  readonly reason: string;
  readonly quarantined?: StageFailure["quarantined"];
  readonly feedback?: Feedback;
  /** Who had the dispatch, where it ended without a result. */
  readonly lostBy?: InstanceRef;
};

/** What a failure leads to; a fact that records the failure carries `action` and `changes`. */
export type FailureConsequence = {
  readonly action: Extract<FactAction, "stage.retried" | "stage.skipped" | "stage.failed">;
  readonly because: string;
  readonly changes: readonly StateChange[];
  /** The strategy asks a person. */
  readonly asks: boolean;
  /** What they would best do, where it is not the usual. */
  readonly recommended?: "rewind";
};

/** ATTEMPT-1, ATTEMPT-2: what is left, of the stage's own attempts and of what all stages share. */
export function retryBudget(state: PipelineState, { plan, state: stage }: StageView): RetryBudget {
  const { policy } = state.plan;
  return {
    stageRetriesLeft: Math.max(0, plan.retry.maxAttempts - 1 - stage.retriesUsed),
    pipelineRetriesLeft: Math.max(0, policy.maxTotalRetries - state.retriesUsed),
    rejectionsLeft: Math.max(0, policy.maxRejections - state.rejectionsUsed),
  };
}

/** An agent's own words may end as a sentence does. */
const joined = (reason: string, then: string): string => `${reason.replace(/(?<!\.)\.$/, "")}; ${then}`;

export function retryOrFail(ledger: Ledger, failure: Failure): FailureConsequence {
  const { stageRetriesLeft, pipelineRetriesLeft } = retryBudget(ledger.state, failure.stage);
  if (stageRetriesLeft > 0 && pipelineRetriesLeft > 0) return retry(ledger, failure);
  const spent = stageRetriesLeft === 0 ? "the stage has no attempt left" : "the pipeline has no retry left";
  return failFinally(ledger.state, failure, spent);
}

function retry({ state, now }: Ledger, failure: Failure): FailureConsequence {
  const { stage, reason, feedback } = failure;
  const retriesUsed = stage.state.retriesUsed + 1;
  const notBefore = now + backoffMs(stage.plan.retry, retriesUsed);
  return {
    action: "stage.retried",
    because: joined(reason, "tried again"),
    asks: false,
    changes: [
      enterReady(stage, {
        retriesUsed,
        notBefore,
        ...leftBy(failure),
        feedback: withFeedback(stage, feedback),
      }),
      changePipeline({ retriesUsed: state.retriesUsed + 1 }),
    ],
  };
}

/** ATTEMPT-5, SENT-12: what the attempt that is over leaves to the next. */
const leftBy = ({ stage: { state }, lostBy }: Failure): Partial<StageState> => ({
  result: null,
  priorContextOut: state.result?.contextOut ?? state.priorContextOut,
  ...(lostBy === undefined || state.lostBy.some((known) => isSameInstance(known, lostBy))
    ? {}
    : { lostBy: [...state.lostBy, lostBy] }),
});

const isSameInstance = (one: InstanceRef, other: InstanceRef): boolean =>
  one.packId === other.packId && one.instanceId === other.instanceId;

/**
 * SENT-9: what nobody took was nobody's attempt, and is sent again outside the budgets, with a new number that fences
 * whoever takes the old one after all. As often as a stage may be tried, that is a failure like any other.
 */
export const sendAgainOrFail = (ledger: Ledger, failure: Failure): FailureConsequence =>
  resend(ledger, failure, failure.stage.plan.retry.maxAttempts);

export const MAX_HANDED_BACK = 3;

/** SENT-11: likewise what an instance that had to stop gave back, also where a stage may be tried once only. */
export const handBackOrFail = (ledger: Ledger, failure: Failure): FailureConsequence =>
  resend(ledger, failure, MAX_HANDED_BACK + 1);

function resend(ledger: Ledger, failure: Failure, most: number): FailureConsequence {
  const { stage, reason } = failure;
  const { retry: retries } = stage.plan;
  const sendsLost = stage.state.sendsLost + 1;
  if (sendsLost >= most) return retryOrFail(ledger, failure);
  const notBefore = ledger.now + backoffMs(retries, sendsLost);
  return {
    action: "stage.retried",
    because: joined(reason, "sent again"),
    asks: false,
    changes: [enterReady(stage, { sendsLost, notBefore, ...leftBy(failure) })],
  };
}

/** FAIL-1..3: a final failure does what the pipeline's strategy says; what may not be skipped asks a person. */
export function failFinally(state: PipelineState, failure: Failure, spent: string): FailureConsequence {
  const { stage, code, reason } = failure;
  const because = joined(reason, spent);
  const failed: StageFailure = {
    code,
    reason: because,
    attemptNumber: stage.state.attemptNumber,
    quarantined: failure.quarantined ?? null,
  };
  const handled = handledFailure(state, stage, failed);
  if (handled !== undefined) return handled;
  const { failureStrategy } = state.plan.policy;
  if (failureStrategy === FailureStrategy.SKIP_FAILED && maySkip(state.plan, stage.index)) {
    const end = { status: StageStatus.SKIPPED, skipReason: because } as const;
    return { action: "stage.skipped", because, asks: false, changes: endStage(state, stage, end) };
  }
  return {
    action: "stage.failed",
    because,
    asks: failureStrategy !== FailureStrategy.FAIL_FAST,
    changes: [
      changeStage(stage, {
        status: StageStatus.FAILED,
        dispatch: null,
        notBefore: null,
        wait: null,
        failure: failed,
      }),
    ],
  };
}

/** SACP-25 (D10): where an edge leads on from the failure, what it leads to handles it, whatever the strategy is. */
function handledFailure(
  state: PipelineState,
  stage: StageView,
  failure: StageFailure,
): FailureConsequence | undefined {
  if (stage.plan.edges.length === 0) return undefined;
  const end = { kind: "failed", reason: failure.reason } as const;
  const { taken, because } = decideEdges(stage, end);
  if (taken.length === 0) return undefined;
  return {
    action: "stage.failed",
    because: `${failure.reason}; ${because}`,
    asks: false,
    changes: endStage(state, stage, { status: StageStatus.FAILED, failure }, end),
  };
}

/** Opens the question that a failed stage waits for, where the strategy asks one. */
export function askAboutFailure(ledger: Ledger, { index }: StageView, consequence: FailureConsequence): void {
  const stage = stageAt(ledger.state, index);
  if (!consequence.asks || stage === undefined) return;
  const quarantined = stage.state.failure?.quarantined ?? null;
  escalate(ledger, stage, {
    cause: "stage-failed",
    problem: `Stage "${stage.plan.stageId}" failed: ${consequence.because}`,
    recommended: quarantined === null ? (consequence.recommended ?? "retry") : "restore",
    quarantined,
  });
}

const FEEDBACK_KEPT = 8;

/** The newest are kept: an attempt needs what the last ones taught, and a state must not grow with every answer. */
export function withFeedback(stage: StageView, feedback: Feedback | undefined): readonly Feedback[] {
  const kept = stage.state.feedback;
  return feedback === undefined ? kept : [...kept, feedback].slice(-FEEDBACK_KEPT);
}
