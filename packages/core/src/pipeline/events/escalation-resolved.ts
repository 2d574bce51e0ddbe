import { AuditEventType, StageStatus } from "@signalbox/contracts";
import { isSameRef, type PinnedRef } from "../../dispatch/freshness.ts";
import { printDuration } from "../../documents/duration-text.ts";
import { endStage, enterReady } from "../enter-ready.ts";
import { cancelInFlight } from "../cancel.ts";
import { extended, unbounded } from "../clock.ts";
import { snapshotOf } from "../escalate.ts";
import { type Escalation, type Resolution, whyOf } from "../escalation.ts";
import type { EscalationResolved } from "../event.ts";
import type { StateChange } from "../fact.ts";
import { changeStage, type Ledger, record, stageAt, stageNamed, type StageView } from "../ledger.ts";
import { stageIndex } from "../plan.ts";
import { resumePipeline } from "../pause.ts";
import { rewind } from "../rewind.ts";
import { withFeedback } from "../stage-failure.ts";
import type { Feedback, StageState } from "../state.ts";
import { failedChecks, passGate } from "./judgement-applied.ts";
import { abortPipeline, instructionsOf } from "./person-commands.ts";

/** ESC-4, ESC-6: a question is answered once, the option stands in the entry's action, and it does what it says. */
export function escalationResolved(ledger: Ledger, event: EscalationResolved): void {
  const { resolution, by, comment } = event;
  const escalation = ledger.state.escalations.find((open) => open.escalationId === event.escalationId);
  if (escalation === undefined) return;
  callOff(ledger, escalation, event);
  const stage = escalation.stageId === null ? undefined : stageNamed(ledger.state, escalation.stageId);
  record(ledger, {
    eventType: AuditEventType.ESCALATION_RESOLVED,
    action: `escalation.resolved.${resolution.option}`,
    rationale: comment,
    actor: by,
    stage,
    snapshot: {
      case: "escalation",
      value: { ...snapshotOf(escalation), resolution: resolution.option, resolvedBy: by.id, comment },
    },
    changes: [
      {
        kind: "escalation-closed",
        escalationId: escalation.escalationId,
        end: { kind: "resolved", resolution, by, comment },
      },
      ...(stage === undefined ? [] : stageChanges(ledger, stage, escalation, event)),
    ],
  });
  if (resolution.option === "restore" && escalation.quarantined !== null) {
    ledger.effects.push({ kind: "restore-instance", instance: escalation.quarantined });
  }
  followUp(ledger, stage, escalation, event);
}

/** DOUBT-4: an attempt that was doubted is at work; what begins another one, or leaves the stage out, calls it off first. */
function callOff(
  ledger: Ledger,
  { cause, stageId }: Escalation,
  { resolution, by }: EscalationResolved,
): void {
  const { option } = resolution;
  if (cause !== "low-confidence" || stageId === null || (option !== "retry" && option !== "skip")) return;
  cancelInFlight(ledger, [stageIndex(ledger.state.plan, stageId)], {
    rationale: "A person called the attempt off, for its agent doubts it",
    actor: by,
  });
}

/** What the answer changes by itself; the options that need more steps follow after it. */
function stageChanges(
  { state }: Ledger,
  stage: StageView,
  escalation: Escalation,
  { resolution, by }: EscalationResolved,
): StateChange[] {
  switch (resolution.option) {
    case "retry":
    case "restore":
    case "answer":
      return tryAgain(stage, escalation, feedbackFrom(stage, escalation, resolution, by));
    case "accept":
      return [changeStage(stage, { hold: null, acceptedRefs: withAccepted(stage, escalation) })];
    case "skip":
      return endStage(state, stage, {
        status: StageStatus.SKIPPED,
        skipReason: `Skipped by ${by.id}: ${escalation.problem}`,
        failure: null,
      });
    case "advance":
    case "rewind":
    case "abort":
    case "extend":
    case "resume":
      return [changeStage(stage, { hold: null })];
  }
}

/**
 * DSP-76: accepted for the stage until it starts afresh, beside what was accepted before: of a task that brings one locator under
 * two digests each answer would else take back the other, and the question would come again for ever.
 */
function withAccepted({ state }: StageView, { staleRefs }: Escalation): readonly PinnedRef[] {
  const known = state.acceptedRefs.filter((one) => !staleRefs.some((ref) => isSameRef(ref, one)));
  return [...known, ...staleRefs];
}

/** ESC-7: a person's retry is outside the budgets; an attempt that was never sent is still the same attempt. */
function tryAgain(stage: StageView, escalation: Escalation, feedback: Feedback | undefined): StateChange[] {
  const next: Partial<StageState> = { hold: null, feedback: withFeedback(stage, feedback) };
  if (escalation.cause === "dispatch-refused") return [changeStage(stage, next)];
  const { result, priorContextOut } = stage.state;
  return [
    enterReady(stage, { ...next, result: null, priorContextOut: result?.contextOut ?? priorContextOut }),
  ];
}

function feedbackFrom(
  stage: StageView,
  escalation: Escalation,
  resolution: Resolution,
  by: EscalationResolved["by"],
): Feedback | undefined {
  const base = {
    fromAttempt: stage.state.attemptNumber,
    failedChecks: escalation.gate === null ? [] : failedChecks(escalation.gate),
    by,
  };
  if (resolution.option === "answer") {
    return { ...base, kind: "answer", text: resolution.answer, question: escalation.problem };
  }
  const text = resolution.option === "retry" ? resolution.instructions : "";
  const question = whyOf(escalation);
  if (text === "" && question === null && base.failedChecks.length === 0) return undefined;
  return { ...base, kind: "retry", text, question };
}

function followUp(
  ledger: Ledger,
  stage: StageView | undefined,
  escalation: Escalation,
  { resolution, by, comment }: EscalationResolved,
): void {
  switch (resolution.option) {
    case "advance": {
      const judged = stage && stageAt(ledger.state, stage.index);
      if (judged) passGate(ledger, judged, escalation.gate ?? {}, comment || "Advanced by a person", by);
      return;
    }
    case "rewind": {
      const target = stageNamed(ledger.state, resolution.stageId);
      if (target === undefined) return;
      const gate = escalation.gate ?? { checks: [] };
      rewind(ledger, {
        target,
        action: "stage.rewound-by-person",
        rationale: resolution.instructions || comment || escalation.problem,
        feedback: {
          ...instructionsOf(target, resolution.instructions, by),
          question: whyOf(escalation),
          failedChecks: failedChecks(gate),
        },
        gate,
        counts: false,
      });
      return;
    }
    case "extend":
      resumePipeline(
        ledger,
        `Extended by ${printDuration(resolution.byMs)}`,
        by,
        extended(ledger.state.clock, resolution.byMs, ledger.now),
      );
      return;
    case "resume":
      if (escalation.cause !== "deadline") return;
      resumePipeline(ledger, "Goes on without a deadline", by, unbounded(ledger.state.clock, ledger.now));
      return;
    case "abort":
      abortPipeline(ledger, { by, note: comment }, escalation.escalationId);
      return;
    case "retry":
    case "accept":
    case "restore":
    case "answer":
    case "skip":
      return;
  }
}
