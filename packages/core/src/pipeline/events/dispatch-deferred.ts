import { AuditEventType } from "@signalbox/contracts";
import { waitText } from "../../dispatch/reason-text.ts";
import type { DispatchDeferred } from "../event.ts";
import { changeStage, type Ledger, record, type StageView } from "../ledger.ts";

/** SENT-7: the stage stays READY; since when it waits stays the same, so that dispatch can lose patience. */
export function dispatchDeferred(ledger: Ledger, stage: StageView, event: DispatchDeferred): void {
  const { reason, until, attemptNumber } = event;
  const since = stage.state.wait?.since ?? ledger.now;
  record(ledger, {
    eventType: AuditEventType.DISPATCH_DECISION,
    action: "dispatch.deferred",
    rationale: waitText(reason),
    stage,
    snapshot: { case: "dispatch", value: { ...event.decision, selectedPackId: "", attemptNumber } },
    changes: [changeStage(stage, { wait: { reason, since, until } })],
  });
}
