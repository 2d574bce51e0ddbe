import { INSTANCE_STOPPED, Outcome, RiskTier, StageStatus } from "@signalbox/contracts";
import fc from "fast-check";
import type { EscalationOption, Resolution } from "../escalation.ts";
import type { PipelineEvent } from "../event.ts";
import type { Judgement } from "../judgement.ts";
import type { PipelineState } from "../state.ts";
import { approver, reporter, resultOf, submitter, verdicts } from "./definitions.ts";

/** A choice among whatever the state offers; the numbers pick, so that a failing run shrinks to few small ones. */
export type Step = {
  readonly kind: number;
  readonly pick: number;
  readonly detail: number;
  readonly wait: number;
};
export const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat({ max: 99 }),
  pick: fc.nat({ max: 99 }),
  detail: fc.nat({ max: 99 }),
  wait: fc.nat({ max: 60 }),
});

const chosen = <T>(from: readonly T[], pick: number): T | undefined => from[pick % Math.max(1, from.length)];

/** Turns a step into an event: mostly one that fits, sometimes one that is late, wrong, or about nothing at all. */
export function eventFor(state: PipelineState, step: Step, now: number, serial: number): PipelineEvent {
  const { kind } = step;
  if (kind < 35) return sendAny(state, step, now, serial);
  if (kind < 65) return reportAny(state, step);
  if (kind < 72) return endAny(state, step);
  if (kind < 84) return resolveAny(state, step, now);
  if (kind < 88) return refuseAny(state, step, now);
  if (kind < 91) return { kind: "deadline-reached" };
  if (kind < 93) return { kind: "pause", by: approver, note: "" };
  if (kind < 96) return { kind: "resume", by: approver, note: "" };
  if (kind < 99) return rewindAny(state, step);
  return step.detail < 40
    ? { kind: "abort", by: approver, note: "" }
    : { kind: "resume", by: approver, note: "" };
}

const ids = ({ plan }: PipelineState) => plan.stages.map(({ stageId }) => stageId);

function sendAny(state: PipelineState, { pick, detail }: Step, now: number, serial: number): PipelineEvent {
  const ready = ids(state).filter((_, index) => {
    const one = state.stages[index];
    return (
      one !== undefined &&
      one.status === StageStatus.READY &&
      one.hold === null &&
      (one.notBefore ?? 0) <= now
    );
  });
  const stageId = chosen(detail < 95 && ready.length > 0 ? ready : ids(state), pick) ?? "";
  const attemptNumber = state.stages[ids(state).indexOf(stageId)]?.attemptNumber ?? 0;
  return {
    kind: "stage-dispatched",
    stageId,
    attemptNumber: detail < 98 ? attemptNumber : attemptNumber + 1,
    dispatchId: `d${serial}`,
    packId: `pack-${detail % 3}`,
    packVersion: "1.0.0",
    riskTier: RiskTier.NORMAL,
    instanceId: `instance-${detail % 5}`,
    dueAt: detail % 2 === 0 ? now + 100 : null,
    decision: {},
    rationale: "",
  };
}

function fenceAny(state: PipelineState, { pick, detail }: Step) {
  const all = state.stages.flatMap(({ dispatch }, index) =>
    dispatch === null ? [] : { stageId: ids(state)[index] ?? "", dispatch },
  );
  const open = all.filter(({ dispatch }) => dispatch.reportedAt === null);
  const found = chosen(detail < 90 && open.length > 0 ? open : all, pick);
  if (found === undefined) {
    return { stageId: chosen(ids(state), pick) ?? "", dispatchId: `d${detail}`, attemptNumber: 1 };
  }
  const { dispatchId, attemptNumber } = found.dispatch;
  return {
    stageId: found.stageId,
    dispatchId: detail === 91 ? "d0" : dispatchId,
    attemptNumber: detail === 92 ? attemptNumber - 1 : attemptNumber,
  };
}

function reportAny(state: PipelineState, step: Step): PipelineEvent {
  const fence = fenceAny(state, step);
  const { detail } = step;
  const verdict = (judgement: Judgement | null, outcome: Outcome, failureCode = "CODE"): PipelineEvent => ({
    kind: "result-accepted",
    by: reporter,
    ...fence,
    result: resultOf(outcome, {
      status: { outcome, failureCode, failureReason: "why" },
      contextOut: {
        risksIdentified: [`risk ${detail}`],
        decisionsMade: [{ description: `decision ${detail}` }],
      },
      artifacts: [{ path: `file-${detail % 4}` }],
      ...(detail % 3 === 0 ? {} : { response: answerOf(outcome, detail) }),
    }),
    schemaVersionExpected: "1.0.0",
    judgement,
  });
  const target = chosen(ids(state), step.wait) ?? "";
  const table = [
    () => verdict(verdicts.retry, Outcome.SUCCESS),
    () => verdict(verdicts.rejectTo(fence.stageId), Outcome.SUCCESS),
    () => verdict(verdicts.rejectTo(target), Outcome.PARTIAL),
    () => verdict(verdicts.ask, Outcome.PARTIAL),
    () => verdict(verdicts.clarify, Outcome.SUCCESS),
    () => verdict(verdicts.fail, Outcome.SUCCESS),
    () => verdict(verdicts.askAboutBreach, Outcome.RETRYABLE_FAILURE),
    () => verdict(null, Outcome.RETRYABLE_FAILURE),
    () => verdict(null, Outcome.NON_RETRYABLE_FAILURE),
    () => verdict(null, Outcome.POLICY_BLOCKED),
    () => verdict(null, Outcome.SUCCESS),
    () => verdict(verdicts.advance, Outcome.RETRYABLE_FAILURE),
    () => verdict(null, Outcome.RETRYABLE_FAILURE, INSTANCE_STOPPED),
    (): PipelineEvent => ({
      kind: "result-invalid",
      by: reporter,
      ...fence,
      error: "no evidence",
      schemaVersionReceived: "0.9.0",
      schemaVersionExpected: "1.0.0",
      consecutiveInvalid: detail,
      quarantined: detail % 2 === 0,
    }),
  ];
  return (
    (step.wait < 35 ? undefined : chosen(table, detail))?.() ?? verdict(verdicts.advance, Outcome.SUCCESS)
  );
}

const answerOf = (outcome: Outcome, detail: number) => ({
  thought: "",
  status: outcome === Outcome.SUCCESS || outcome === Outcome.PARTIAL ? "success" : "failure",
  data: { score: (detail % 10) / 10 },
  message: `said ${detail}`,
  nextStepHint: `s${detail % 12}`,
});

function endAny(state: PipelineState, step: Step): PipelineEvent {
  const fence = fenceAny(state, step);
  return (
    chosen<PipelineEvent>(
      [
        { kind: "transport-failed", ...fence, detail: "refused" },
        { kind: "dispatch-timed-out", ...fence },
        { kind: "lease-lost", ...fence, leaseExpiredAt: 0 },
        { kind: "agent-failed", ...fence, detail: "the agent answered 500" },
        { kind: "confidence-doubted", ...fence, problem: "it doubts itself" },
        commitAny(state, step),
        {
          kind: "handoff-requested",
          ...fence,
          to: { taskType: null, packId: "other" },
          context: "you do it",
          contextOut: null,
          verdict: { allowed: step.wait % 3 !== 0, why: "the policy says so" },
        },
      ],
      step.wait,
    ) ?? { kind: "deadline-reached" }
  );
}

/** Of an attempt that is at work, or of one whose result was taken. */
function commitAny(state: PipelineState, step: Step): PipelineEvent {
  const reported = state.stages.flatMap(({ result }, index) =>
    result === null ? [] : { stageId: ids(state)[index] ?? "", ...fenceOf(result) },
  );
  const fence = step.detail % 2 === 0 ? undefined : chosen(reported, step.pick);
  return {
    kind: "commit-noted",
    ...(fence ?? fenceAny(state, step)),
    by: reporter,
    gitHash: `${step.wait}c0de`,
  };
}

const fenceOf = ({ dispatchId, attemptNumber }: { dispatchId: string; attemptNumber: number }) => ({
  dispatchId,
  attemptNumber,
});

function refuseAny(state: PipelineState, { pick, wait }: Step, now: number): PipelineEvent {
  const stageId = chosen(ids(state), pick) ?? "";
  const attemptNumber = state.stages[ids(state).indexOf(stageId)]?.attemptNumber ?? 0;
  const quarantined = pick % 2 === 0 ? { packId: "pack", instanceId: "instance" } : null;
  const decision = {};
  if (pick === 7 || pick === 31)
    return { kind: "inputs-unfilled", stageId, attemptNumber, problem: "no value" };
  if (wait > 30) {
    const reason = (["busy", "away", "behind"] as const)[wait % 3] ?? "busy";
    return { kind: "dispatch-deferred", stageId, attemptNumber, reason, until: now + 50, decision };
  }
  const refused = { kind: "dispatch-refused", stageId, attemptNumber, problem: "none", decision } as const;
  return wait % 4 === 0
    ? {
        ...refused,
        reason: "stale-refs",
        quarantined: null,
        staleRefs: [{ uriOrLocator: `file-${pick % 3}`, digest: `sha256:${wait}` }],
        accepting: "possible",
      }
    : { ...refused, reason: "no-route", quarantined };
}

const rewindAny = (state: PipelineState, { pick }: Step): PipelineEvent => ({
  kind: "rewind",
  stageId: chosen(ids(state), pick) ?? "",
  instructions: "again",
  by: approver,
});

function resolveAny(state: PipelineState, { pick, detail, wait }: Step, now: number): PipelineEvent {
  const open = chosen(state.escalations, pick);
  // Aborting is an answer to every question; taken as often as the others it would end most runs at once.
  const offered = (open?.options ?? []).filter((option) => option !== "abort" || detail > 95);
  const option = detail === 94 ? "extend" : (chosen(offered, detail) ?? "retry");
  const target = wait < 30 ? (open?.stageId ?? "") : (chosen(ids(state), wait) ?? "");
  return {
    kind: "escalation-resolved",
    escalationId: open?.escalationId ?? `pl-1-e${pick}`,
    resolution: resolutionOf(option, target, now + 1_000),
    by: detail === 93 ? submitter : approver,
    comment: "",
  };
}

export function resolutionOf(option: EscalationOption, stageId: string, byMs: number): Resolution {
  switch (option) {
    case "retry":
      return { option, instructions: "again" };
    case "rewind":
      return { option, stageId, instructions: "again" };
    case "answer":
      return { option, answer: "the first" };
    case "extend":
      return { option, byMs };
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return { option };
  }
}
