import { AuditEventType } from "@signalbox/contracts";
import { quotedReason } from "../../quoted-text.ts";
import type { AgentFailed, DispatchTimedOut, LeaseLost, TransportFailed } from "../event.ts";
import type { FactAction } from "../fact.ts";
import { type Ledger, record, type StageView } from "../ledger.ts";
import { askAboutFailure, retryOrFail, sendAgainOrFail } from "../stage-failure.ts";
import type { CurrentDispatch } from "../state.ts";

type DispatchEnded = TransportFailed | DispatchTimedOut | LeaseLost | AgentFailed;

type Ending = {
  readonly eventType: AuditEventType;
  readonly action: FactAction;
  readonly code: string;
  readonly reason: string;
};

function endingOf(event: DispatchEnded, dispatch: CurrentDispatch): Ending {
  const { packId, instanceId } = dispatch;
  switch (event.kind) {
    case "transport-failed":
      return {
        eventType: AuditEventType.DISPATCH_CANCELLED,
        action: "dispatch.transport-failed",
        code: "TRANSPORT_FAILED",
        reason: `The envelope did not reach ${packId} (${instanceId}): ${quotedReason(event.detail)}`,
      };
    case "dispatch-timed-out":
      return {
        eventType: AuditEventType.DISPATCH_TIMEOUT,
        action: "dispatch.timed-out",
        code: "TIMEOUT",
        reason: `${packId} (${instanceId}) did not answer in time`,
      };
    case "lease-lost":
      return {
        eventType: AuditEventType.DISPATCH_TIMEOUT,
        action: "dispatch.lease-lost",
        code: "LEASE_LOST",
        reason: `${packId} (${instanceId}) did not renew its lease`,
      };
    case "agent-failed":
      return {
        eventType: AuditEventType.DISPATCH_CANCELLED,
        action: "dispatch.agent-failed",
        code: "AGENT_FAILED",
        reason: `${packId} (${instanceId}) failed without a result: ${quotedReason(event.detail)}`,
      };
  }
}

/**
 * SENT-3, SENT-4, SENT-5, SENT-10: a dispatch that ends without a result is cancelled, fenced, and tried again; within the budgets
 * where somebody had it. An agent may have got an envelope whose sending failed, so it too is told to stop.
 */
export function dispatchEnded(ledger: Ledger, stage: StageView, event: DispatchEnded): void {
  const { dispatch } = stage.state;
  if (dispatch === null) return;
  const { eventType, action, code, reason } = endingOf(event, dispatch);
  const consequenceOf = event.kind === "transport-failed" ? sendAgainOrFail : retryOrFail;
  const { packId, instanceId } = dispatch;
  const consequence = consequenceOf(ledger, { stage, code, reason, lostBy: { packId, instanceId } });
  record(ledger, {
    eventType,
    action,
    rationale: consequence.because,
    stage,
    snapshot: {
      case: "dispatch-end",
      value: {
        packId,
        instanceId,
        durationMs: Math.max(0, ledger.now - dispatch.sentAt),
        dueAt: event.kind === "lease-lost" ? event.leaseExpiredAt : dispatch.dueAt,
        cancelSent: true,
      },
    },
    changes: consequence.changes,
  });
  askAboutFailure(ledger, stage, consequence);
}
