import { AuditEventType } from "@signalbox/contracts";
import { quotedReason } from "../../quoted-text.ts";
import { escalate } from "../escalate.ts";
import type { DispatchRefused } from "../event.ts";
import { type Ledger, record, type StageView } from "../ledger.ts";

/** SENT-2 (3.2): what admission, match, filter or freshness refuse is asked of a person; the stage stays READY, held. */
export function dispatchRefused(ledger: Ledger, stage: StageView, event: DispatchRefused): void {
  const problem = quotedReason(event.problem);
  record(ledger, {
    eventType: AuditEventType.DISPATCH_DECISION,
    action: "dispatch.refused",
    rationale: `${event.reason}: ${problem}`,
    stage,
    snapshot: {
      case: "dispatch",
      value: { ...event.decision, selectedPackId: "", attemptNumber: event.attemptNumber },
    },
  });
  escalate(
    ledger,
    stage,
    {
      cause: "dispatch-refused",
      problem,
      recommended: event.quarantined === null ? "retry" : "restore",
      quarantined: event.quarantined,
    },
    { notBefore: null, wait: null },
  );
}
