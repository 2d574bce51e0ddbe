import { AuditEventType, PipelineStatus } from "@signalbox/contracts";
import { printDuration } from "../documents/duration-text.ts";
import { asksAtDeadline, hasExpired, isTaskOverdue, startClock, stopClock } from "./clock.ts";
import { endPipeline } from "./end-pipeline.ts";
import { escalate } from "./escalate.ts";
import type { Decider, FactAction, StateChange } from "./fact.ts";
import { allStages, changePipeline, changeStage, type Ledger, orchestrator, record } from "./ledger.ts";
import type { Clock, PauseReason, PipelineState } from "./state.ts";
import { pipelineSnapshot } from "./summarize.ts";

const actions: { readonly [reason in PauseReason]: FactAction } = {
  person: "pipeline.paused-by-person",
  deadline: "pipeline.paused-on-deadline",
  waiting: "pipeline.paused-on-people",
};

/** PAUSE-1: the clock stops; what is in flight finishes and counts; nothing new is sent. PAUSE-6: who asked for it stands in it. */
export function pausePipeline(ledger: Ledger, reason: PauseReason, note: string, by?: Decider): void {
  const { state, now } = ledger;
  const set = {
    status: PipelineStatus.PAUSED,
    clock: stopClock(state.clock, now),
    pause: { reason, since: now, note, by: by ?? null },
  };
  record(ledger, {
    eventType: AuditEventType.PIPELINE_PAUSED,
    action: actions[reason],
    rationale: note || `Paused by ${whoever(by)}`,
    actor: by ?? orchestrator,
    snapshot: { case: "pipeline", value: pipelineSnapshot({ ...state, ...set }, now) },
    changes: [changePipeline(set), ...carriedWaits(ledger)],
  });
}

/** Behind a key stands nobody in particular. */
export const whoever = (by: Decider | undefined): string => (by?.type === "human" ? "a person" : "a program");

/** CLOCK-6: of the pause that ends now, or gives way to another, none was waited: every wait goes on where it stood. */
function carriedWaits({ state, now }: Ledger): StateChange[] {
  const paused = state.pause === null ? 0 : Math.max(0, now - state.pause.since);
  if (paused === 0) return [];
  return allStages(state).flatMap((stage) => {
    const { wait } = stage.state;
    if (wait === null) return [];
    return [
      changeStage(stage, { wait: { ...wait, since: wait.since + paused, until: wait.until + paused } }),
    ];
  });
}

/** CLOCK-4: a pipeline whose time ran out before it was paused does not run on: its deadline is asked about first. */
export function resumePipeline(ledger: Ledger, note: string, by?: Decider, clock?: Clock): void {
  const { state, now } = ledger;
  const from = clock ?? state.clock;
  if (hasExpired(from, now)) {
    expire(ledger);
    return;
  }
  putOn(ledger, note, by ?? orchestrator, startClock(from, now));
}

function putOn(ledger: Ledger, note: string, actor: Decider, clock: Clock): void {
  const { state, now } = ledger;
  const set = { status: PipelineStatus.RUNNING, pause: null, clock };
  record(ledger, {
    eventType: AuditEventType.PIPELINE_RESUMED,
    action: "pipeline.resumed",
    rationale: note,
    actor,
    snapshot: { case: "pipeline", value: pipelineSnapshot({ ...state, ...set }, now) },
    changes: [changePipeline(set), ...carriedWaits(ledger)],
  });
}

/**
 * CLOCK-3: on expiry the pipeline pauses and a person is asked to extend, to go on without a deadline, or to abort; but
 * nobody is asked about the task's own deadline where nobody is about failures (CLOCK-8).
 */
export function expire(ledger: Ledger): void {
  const { state, now } = ledger;
  const overdue = isTaskOverdue(state.clock, now);
  if (overdue && !asksAtDeadline(state.plan)) {
    failOnDeadline(ledger);
    return;
  }
  pausePipeline(
    ledger,
    "deadline",
    overdue ? "The task's deadline has passed" : "The pipeline's deadline has passed",
  );
  const { maxTotalRetries, deadlineMs } = state.plan.policy;
  const which = overdue
    ? `The task's deadline, ${momentText(state.clock.endsAt)}, has passed`
    : `The deadline, ${printDuration(deadlineMs ?? 0)} by the template, has passed`;
  escalate(ledger, null, {
    cause: "deadline",
    problem: `${which} with ${state.retriesUsed} of ${maxTotalRetries} retries used; ${standingText(state)}.`,
    recommended: "extend",
  });
}

const standingText = ({ stages }: PipelineState): string =>
  `${stages.filter(({ result }) => result !== null).length} of ${stages.length} stages have a result`;

const momentText = (at: number | null): string => (at === null ? "" : new Date(at).toISOString());

/** CLOCK-7: 4.5 lets only a RUNNING pipeline fail, so that one which waited goes on first; both steps are on record. */
function failOnDeadline(ledger: Ledger): void {
  const { state, now } = ledger;
  const rationale = `The task's deadline, ${momentText(state.clock.endsAt)}, has passed; ${standingText(state)}`;
  if (state.status === PipelineStatus.PAUSED) {
    putOn(
      ledger,
      "Goes on to end: the task's deadline has passed",
      orchestrator,
      startClock(state.clock, now),
    );
  }
  endPipeline(ledger, { status: PipelineStatus.FAILED, rationale, onDeadline: true });
}
