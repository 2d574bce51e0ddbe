import { Outcome, PipelineStatus, StageStatus } from "@signalbox/contracts";
import { LONGEST_DURATION_MS } from "../documents/duration-text.ts";
import { deadlineAt, isPastDeadline } from "./clock.ts";
import { fateOf } from "./dependencies.ts";
import { isNotTaken } from "./edges.ts";
import type {
  DispatchDeferred,
  DispatchRefused,
  EscalationResolved,
  Fence,
  InputsUnfilled,
  PipelineEvent,
  ResultAccepted,
  RewindRequested,
  StageDispatched,
} from "./event.ts";
import { isOwnSubmission } from "../identity/own-submission.ts";
import { isFailure, mayPass } from "../outcomes.ts";
import { readEscalationId } from "./ids.ts";
import { stageNamed, type StageView } from "./ledger.ts";
import { finished, permits } from "./permits.ts";
import { isUpstream, stageIndex } from "./plan.ts";
import type { Refusal } from "./refusal.ts";
import type { PipelineState, StageState } from "./state.ts";

/** PERMIT-2: whether an event fits the state; `null` when it does. Asks nothing but its arguments, and never throws. */
export function checkEvent(state: PipelineState, event: PipelineEvent, now: number): Refusal | null {
  switch (event.kind) {
    case "transport-failed":
    case "lease-lost":
    case "agent-failed":
    case "result-invalid":
    case "handoff-requested":
      return checkFence(state, event);
    case "confidence-doubted":
      return checkFence(state, event) ?? checkDoubt(state, event);
    case "commit-noted":
      return checkNamed(state, event);
    case "dispatch-timed-out":
      return checkFence(state, event) ?? checkDue(state, event, now);
    case "result-accepted":
      return checkFence(state, event) ?? checkResult(state, event);
    case "stage-dispatched":
    case "dispatch-deferred":
    case "dispatch-refused":
    case "inputs-unfilled":
      return checkPipeline(state, event) ?? checkClaim(state, event, now);
    case "rewind":
      return checkPipeline(state, event) ?? checkRewindTarget(state, event);
    case "escalation-resolved":
      return checkOpen(state, event) ?? checkPipeline(state, event) ?? checkResolution(state, event);
    case "deadline-reached":
      return checkPipeline(state, event) ?? checkDeadline(state, now);
    case "pause":
      return checkPipeline(state, event) ?? checkPause(state);
    case "resume":
      return checkPipeline(state, event) ?? checkResume(state);
    case "abort":
      return checkPipeline(state, event);
  }
}

function checkPipeline({ status, pause }: PipelineState, { kind }: PipelineEvent): Refusal | null {
  if (permits[kind].pipeline.includes(status)) return null;
  if (finished.includes(status)) return { reason: "pipeline-finished", status };
  if (status === PipelineStatus.PENDING) return { reason: "pipeline-not-started" };
  if (status === PipelineStatus.PAUSED)
    return { reason: "pipeline-paused", pause: pause?.reason ?? "person" };
  return { reason: "pipeline-not-paused" };
}

const unknownStage = ({ plan }: PipelineState, stageId: string): Refusal => ({
  reason: "unknown-stage",
  stageId,
  allowed: plan.stages.map((stage) => stage.stageId),
});

function checkStage(stage: StageView, { kind }: PipelineEvent): Refusal | null {
  const { status } = stage.state;
  if (permits[kind].stage?.includes(status) ?? true) return null;
  return { reason: "wrong-stage-status", stageId: stage.plan.stageId, status };
}

/** FENCE-1 (D6): only the stage's current dispatch and attempt count; what ended it, and when, makes no difference. */
function checkFence(state: PipelineState, event: Fence & PipelineEvent): Refusal | null {
  const { stageId, dispatchId, attemptNumber } = event;
  const stage = stageNamed(state, stageId);
  if (stage === undefined) return unknownStage(state, stageId);
  const { dispatch, result } = stage.state;
  const matches = (one: { dispatchId: string; attemptNumber: number } | null) =>
    one !== null && one.dispatchId === dispatchId && one.attemptNumber === attemptNumber;
  if (matches(dispatch)) {
    if (dispatch?.reportedAt !== null) return { reason: "already-reported", dispatchId };
    return checkPipeline(state, event) ?? checkStage(stage, event);
  }
  if (matches(result)) return { reason: "already-reported", dispatchId };
  const current = dispatch && { dispatchId: dispatch.dispatchId, attemptNumber: dispatch.attemptNumber };
  return { reason: "stale-dispatch", stageId, current };
}

/** DOUBT-2: once an attempt, however often it is doubted. */
function checkDoubt(state: PipelineState, { stageId, attemptNumber }: Fence): Refusal | null {
  return stageNamed(state, stageId)?.state.doubtedAttempt === attemptNumber
    ? { reason: "already-doubted", stageId, attemptNumber }
    : null;
}

/** COMMIT-2: also by an attempt whose result was taken, until the stage begins another one. */
function checkNamed(state: PipelineState, event: Fence & PipelineEvent): Refusal | null {
  const stage = stageNamed(state, event.stageId);
  const result = stage?.state.result;
  if (
    stage === undefined ||
    result?.dispatchId !== event.dispatchId ||
    result.attemptNumber !== event.attemptNumber
  )
    return checkFence(state, event);
  return checkPipeline(state, event) ?? checkStage(stage, event);
}

function checkClaim(
  state: PipelineState,
  event: StageDispatched | DispatchDeferred | DispatchRefused | InputsUnfilled,
  now: number,
): Refusal | null {
  const { stageId } = event;
  const stage = stageNamed(state, stageId);
  if (stage === undefined) return unknownStage(state, stageId);
  const wrongStatus = checkStage(stage, event);
  if (wrongStatus !== null) return wrongStatus;
  const { attemptNumber, hold, notBefore } = stage.state;
  if (attemptNumber !== event.attemptNumber) return { reason: "stale-attempt", stageId, attemptNumber };
  if (hold !== null) return { reason: "stage-held", stageId, escalationId: hold };
  if (notBefore !== null && now < notBefore) return { reason: "not-due", dueAt: notBefore };
  if (event.kind === "dispatch-deferred") return checkWait(stage, event, now);
  return event.kind === "stage-dispatched" && isPastDeadline(state, now)
    ? { reason: "deadline-passed" }
    : null;
}

/** SENT-7: a wait is recorded once, however often it is asked about, until its time is over or its reason another. */
function checkWait(
  { plan, state: { wait } }: StageView,
  event: DispatchDeferred,
  now: number,
): Refusal | null {
  if (wait === null || wait.reason !== event.reason || now >= wait.until) return null;
  return { reason: "already-waiting", stageId: plan.stageId, until: wait.until };
}

function checkDue(state: PipelineState, { stageId }: Fence, now: number): Refusal | null {
  const dueAt = stageNamed(state, stageId)?.state.dispatch?.dueAt ?? null;
  return dueAt === null || now < dueAt ? { reason: "not-due", dueAt } : null;
}

/** VERDICT-1: nothing advances without a gate's word, and no gate's word turns a failure into a success; of one it may ask. */
function checkResult(state: PipelineState, { stageId, result, judgement }: ResultAccepted): Refusal | null {
  const outcome = result.status?.outcome ?? Outcome.UNSPECIFIED;
  if (judgement === null) {
    const isDecided = isFailure(outcome) || outcome === Outcome.POLICY_BLOCKED;
    return isDecided ? null : { reason: "gate-not-judged", stageId };
  }
  const { verdict } = judgement;
  const mayAsk = mayPass(outcome) || isFailure(outcome);
  if ((verdict === "advance" && !mayPass(outcome)) || (verdict === "ask" && !mayAsk)) {
    return { reason: "advance-without-success", stageId };
  }
  return judgement.verdict === "reject" ? checkUpstream(state, stageId, judgement.targetStageId) : null;
}

const wasNotTaken = (stage: StageState | undefined): boolean => stage !== undefined && isNotTaken(stage);

/** REWIND-6: a stage goes back to itself or to a stage it depends on: else the stage that was judged would hang. */
function checkUpstream(
  { plan, stages }: PipelineState,
  stageId: string,
  targetStageId: string,
): Refusal | null {
  const index = stageIndex(plan, stageId);
  const target = stageIndex(plan, targetStageId);
  if (target === -1 || !isUpstream(plan, target, index)) {
    const allowed = plan.stages
      .filter((_, from) => isUpstream(plan, from, index) && !wasNotTaken(stages[from]))
      .map((stage) => stage.stageId);
    return target === -1
      ? { reason: "unknown-stage", stageId: targetStageId, allowed }
      : { reason: "target-not-upstream", stageId, targetStageId, allowed };
  }
  // SACP-29: nothing led there, so nothing can go back there.
  return wasNotTaken(stages[target]) ? { reason: "stage-not-reached", stageId: targetStageId } : null;
}

const isReached = (state: PipelineState, index: number): boolean =>
  state.stages[index]?.status !== StageStatus.PENDING && fateOf(state, index) === "starts";

function checkRewindTarget(state: PipelineState, event: RewindRequested): Refusal | null {
  const { stageId } = event;
  const stage = stageNamed(state, stageId);
  if (stage === undefined) {
    const reached = state.plan.stages.filter((_, index) => isReached(state, index));
    return { reason: "unknown-stage", stageId, allowed: reached.map((one) => one.stageId) };
  }
  return isReached(state, stage.index) ? checkStage(stage, event) : { reason: "stage-not-reached", stageId };
}

function checkDeadline(state: PipelineState, now: number): Refusal | null {
  return isPastDeadline(state, now) ? null : { reason: "not-due", dueAt: deadlineAt(state) };
}

/** PAUSE-5: a person may hold a pipeline that only waits for people, so that their answers do not set it off. */
function checkPause({ pause }: PipelineState): Refusal | null {
  if (pause === null || pause.reason === "waiting") return null;
  return { reason: "already-paused", pause: pause.reason };
}

/** CLOCK-5: what waits for an answer goes on by the answer, not by a resume that would pass the question over. */
function checkResume({ pause, escalations }: PipelineState): Refusal | null {
  if (pause?.reason === "deadline") return { reason: "deadline-passed" };
  if (pause?.reason !== "waiting") return null;
  return { reason: "waiting-for-people", escalationIds: escalations.map(({ escalationId }) => escalationId) };
}

/** ESC-6: who answers too late is told that, also where the answer before ended the pipeline. */
const checkOpen = (state: PipelineState, { escalationId }: EscalationResolved): Refusal | null =>
  state.escalations.some((open) => open.escalationId === escalationId)
    ? null
    : { reason: wasOpened(state, escalationId), escalationId };

function checkResolution(state: PipelineState, event: EscalationResolved): Refusal | null {
  const { escalationId, resolution, by, submittersMakers = [] } = event;
  const escalation = state.escalations.find((open) => open.escalationId === escalationId);
  if (escalation === undefined) return null;
  const { option } = resolution;
  if (!escalation.options.includes(option)) {
    return { reason: "option-not-offered", option, offered: escalation.options };
  }
  const { submitter } = state.plan;
  // What is skipped at its gate passes it as well.
  const approves =
    option === "advance" || option === "accept" || (option === "skip" && escalation.cause === "gate");
  if (approves && isOwnSubmission(by, submitter, submittersMakers)) return { reason: "own-submission" };
  if (option === "answer" && resolution.answer.trim() === "") return { reason: "empty-answer" };
  if (option === "extend" && !isExtension(resolution.byMs)) {
    return { reason: "extension-not-positive", byMs: resolution.byMs };
  }
  return option === "rewind" && escalation.stageId !== null
    ? checkUpstream(state, escalation.stageId, resolution.stageId)
    : null;
}

/** Beyond the longest duration a deadline would leave what a timestamp can say. */
const isExtension = (byMs: number): boolean =>
  Number.isSafeInteger(byMs) && byMs > 0 && byMs <= LONGEST_DURATION_MS;

/** Ids are counted, so that one that was answered is told from one that never was. */
function wasOpened(state: PipelineState, escalationId: string): "already-resolved" | "unknown-escalation" {
  const place = readEscalationId(escalationId);
  const opened = place?.pipelineId === state.plan.pipelineId && place.number <= state.escalationsOpened;
  return opened ? "already-resolved" : "unknown-escalation";
}
