import { AuditEventType } from "@signalbox/contracts";
import { quotedInstructions, quotedName, quotedReason } from "../../quoted-text.ts";
import { enterReady } from "../enter-ready.ts";
import type { HandoffRequested } from "../event.ts";
import { changeStage, type Ledger, record, type StageView } from "../ledger.ts";
import { withFeedback } from "../stage-failure.ts";
import type { CurrentDispatch } from "../state.ts";

/** HAND-3: no stage is handed on more often than this, so that two agents cannot play a task to each other forever. */
export const MAX_HANDOFFS = 3;

/** HAND-1, HAND-2 (D24): approved, the stage is READY again for the other, outside the retry budget; else it goes on. */
export function handoffRequested(ledger: Ledger, stage: StageView, event: HandoffRequested): void {
  const { dispatch, handoffsUsed } = stage.state;
  if (dispatch === null) return;
  const target = quotedName(event.to.packId ?? event.to.taskType ?? "another agent");
  record(ledger, {
    eventType: AuditEventType.HANDOFF_REQUESTED,
    action: "handoff.requested",
    rationale: `Asks that ${target} go on: ${quotedReason(event.context)}`,
    actor: { type: "agent", id: dispatch.instanceId },
    stage,
  });
  const spent = handoffsUsed >= MAX_HANDOFFS;
  const approved = event.verdict.allowed && !spent;
  const why = spent ? `The stage was handed on ${handoffsUsed} times already` : event.verdict.why;
  record(ledger, {
    eventType: approved ? AuditEventType.HANDOFF_APPROVED : AuditEventType.HANDOFF_REFUSED,
    action: approved ? "handoff.approved" : "handoff.refused",
    rationale: why,
    stage,
    changes: approved ? handOver(stage, dispatch, event, ledger.now) : [],
  });
  ledger.effects.push({ kind: "answer-handoff", dispatchId: dispatch.dispatchId, approved, why });
}

function handOver(stage: StageView, dispatch: CurrentDispatch, event: HandoffRequested, now: number) {
  return [
    changeStage(stage, { dispatch: { ...dispatch, reportedAt: now } }),
    enterReady(stage, {
      handoffsUsed: stage.state.handoffsUsed + 1,
      // A pack alone is asked for the work that the stage is at the moment.
      reroute: { ...event.to, taskType: event.to.taskType ?? stage.state.reroute?.taskType ?? null },
      priorContextOut: event.contextOut ?? stage.state.priorContextOut,
      feedback: withFeedback(stage, {
        kind: "handoff",
        fromAttempt: stage.state.attemptNumber,
        text: quotedInstructions(event.context),
        question: null,
        failedChecks: [],
        by: { type: "agent", id: dispatch.instanceId },
      }),
    }),
  ];
}
