import { AuditEventType, PipelineStatus, StageStatus } from "@signalbox/contracts";
import { checkEvent } from "./check-event.ts";
import type { Effect } from "./effect.ts";
import type { PipelineEvent, ResultAccepted, ResultInvalid } from "./event.ts";
import { abortPipeline, rewindByPerson } from "./events/person-commands.ts";
import { commitNoted } from "./events/commit-noted.ts";
import { confidenceDoubted } from "./events/confidence-doubted.ts";
import { dispatchDeferred } from "./events/dispatch-deferred.ts";
import { dispatchEnded } from "./events/dispatch-ended.ts";
import { dispatchRefused } from "./events/dispatch-refused.ts";
import { escalationResolved } from "./events/escalation-resolved.ts";
import { handoffRequested } from "./events/handoff-requested.ts";
import { inputsUnfilled } from "./events/inputs-unfilled.ts";
import { resultAccepted } from "./events/result-accepted.ts";
import { resultInvalid } from "./events/result-invalid.ts";
import { stageDispatched } from "./events/stage-dispatched.ts";
import type { AuditFact } from "./fact.ts";
import { type Ledger, openLedger, stageNamed } from "./ledger.ts";
import { expire, pausePipeline, resumePipeline, whoever } from "./pause.ts";
import type { Refusal } from "./refusal.ts";
import { describeRefusal } from "./refusal-text.ts";
import { settle } from "./settle.ts";
import type { PipelineState, StageState } from "./state.ts";

export type PipelineDecision =
  | { readonly kind: "decided"; readonly state: PipelineState; readonly effects: readonly Effect[] }
  /** Nothing changed. `record` is what the audit keeps of it all the same (FENCE-3). */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly record: readonly AuditFact[] };

/**
 * One event, one decision: all of it or none. Total over every state and event, deterministic, and without a look at
 * the world: the same arguments give the same answer on any node and in a replay.
 */
export function decide(state: PipelineState, event: PipelineEvent, now: number): PipelineDecision {
  const refusal = checkEvent(state, event, now);
  if (refusal !== null) return { kind: "refused", refusal, record: recordOf(event, refusal) };
  const ledger = openLedger(state, now);
  take(ledger, event);
  settle(ledger);
  wakeReadyStages(state, ledger);
  return { kind: "decided", state: ledger.state, effects: ledger.effects };
}

function take(ledger: Ledger, event: PipelineEvent): void {
  switch (event.kind) {
    case "deadline-reached":
      expire(ledger);
      return;
    case "pause":
      pausePipeline(ledger, "person", event.note, event.by);
      return;
    case "resume":
      resumePipeline(ledger, event.note || `Resumed by ${whoever(event.by)}`, event.by);
      return;
    case "abort":
      abortPipeline(ledger, event);
      return;
    case "escalation-resolved":
      escalationResolved(ledger, event);
      return;
    case "stage-dispatched":
    case "dispatch-deferred":
    case "dispatch-refused":
    case "inputs-unfilled":
    case "transport-failed":
    case "dispatch-timed-out":
    case "lease-lost":
    case "agent-failed":
    case "result-accepted":
    case "result-invalid":
    case "handoff-requested":
    case "commit-noted":
    case "confidence-doubted":
    case "rewind":
      takeForStage(ledger, event);
  }
}

type StageEvent = Extract<PipelineEvent, { stageId: string }>;

function takeForStage(ledger: Ledger, event: StageEvent): void {
  const stage = stageNamed(ledger.state, event.stageId);
  if (stage === undefined) return;
  switch (event.kind) {
    case "stage-dispatched":
      stageDispatched(ledger, stage, event);
      return;
    case "dispatch-deferred":
      dispatchDeferred(ledger, stage, event);
      return;
    case "dispatch-refused":
      dispatchRefused(ledger, stage, event);
      return;
    case "inputs-unfilled":
      inputsUnfilled(ledger, stage, event);
      return;
    case "transport-failed":
    case "dispatch-timed-out":
    case "lease-lost":
    case "agent-failed":
      dispatchEnded(ledger, stage, event);
      return;
    case "result-accepted":
      resultAccepted(ledger, stage, event);
      return;
    case "result-invalid":
      resultInvalid(ledger, stage, event);
      return;
    case "handoff-requested":
      handoffRequested(ledger, stage, event);
      return;
    case "commit-noted":
      commitNoted(ledger, stage, event);
      return;
    case "confidence-doubted":
      confidenceDoubted(ledger, stage, event);
      return;
    case "rewind":
      rewindByPerson(ledger, stage, event);
  }
}

/** STAGE-4: a stage is announced once for each time that it becomes claimable, by whatever made it so. */
function wakeReadyStages(before: PipelineState, { state, effects }: Ledger): void {
  if (state.status !== PipelineStatus.RUNNING) return;
  const resumed = before.status !== PipelineStatus.RUNNING;
  for (const [index, stage] of state.stages.entries()) {
    if (stage.status !== StageStatus.READY || stage.hold !== null) continue;
    if (!resumed && isClaimedAlike(before.stages[index], stage)) continue;
    const stageId = state.plan.stages[index]?.stageId ?? "";
    const { attemptNumber, notBefore } = stage;
    effects.push({ kind: "stage-ready", stageId, attemptNumber, notBefore });
  }
}

/** Waiting for a pack changes nothing about the claim: else every wait would wake the stage it put to sleep. */
const isClaimedAlike = (before: StageState | undefined, after: StageState): boolean =>
  before?.status === after.status && before.attemptNumber === after.attemptNumber && before.hold === null;

const isResult = (event: PipelineEvent): event is ResultAccepted | ResultInvalid =>
  event.kind === "result-accepted" || event.kind === "result-invalid";

/** FENCE-3 (D6): a late result is kept on record as stale; the entry belongs to no revision and changes nothing. */
function recordOf(event: PipelineEvent, refusal: Refusal): AuditFact[] {
  if (refusal.reason !== "stale-dispatch" || !isResult(event)) return [];
  const { stageId, dispatchId, attemptNumber } = event;
  return [
    {
      eventType: AuditEventType.RESULT_RECEIVED,
      action: "result.stale",
      rationale: describeRefusal(refusal),
      actor: event.by,
      stageId,
      dispatchId,
      attemptNumber,
      packId: null,
      snapshot: null,
      changes: [],
      revision: null,
    },
  ];
}
