import { AuditEventType, StageStatus } from "@signalbox/contracts";
import type { StageDispatched } from "../event.ts";
import { changeStage, type Ledger, record, type StageView } from "../ledger.ts";
import type { CurrentDispatch } from "../state.ts";

/** SENT-1: the choice and the sending are two entries, and the second makes the dispatch current. */
export function stageDispatched(ledger: Ledger, stage: StageView, event: StageDispatched): void {
  const { dispatchId, attemptNumber, packId, packVersion, instanceId, riskTier, dueAt } = event;
  const dispatch: CurrentDispatch = {
    dispatchId,
    attemptNumber,
    packId,
    packVersion,
    instanceId,
    riskTier,
    sentAt: ledger.now,
    dueAt,
    reportedAt: null,
  };
  const dispatched = { ...stage, state: { ...stage.state, dispatch } };
  const decision = { ...event.decision, attemptNumber };
  record(ledger, {
    eventType: AuditEventType.DISPATCH_DECISION,
    action: "dispatch.decided",
    rationale: event.rationale,
    stage: dispatched,
    snapshot: { case: "dispatch", value: decision },
  });
  record(ledger, {
    eventType: AuditEventType.DISPATCH_SENT,
    action: "dispatch.sent",
    rationale: `Attempt ${attemptNumber} sent to ${packId} as ${dispatchId}`,
    stage: dispatched,
    // Why it was chosen stands in the entry before; here is what was sent (5.4).
    snapshot: { case: "dispatch", value: { ...decision, rejectionReasons: "", refFreshness: [] } },
    changes: [changeStage(stage, { status: StageStatus.DISPATCHED, dispatch, notBefore: null, wait: null })],
  });
}
