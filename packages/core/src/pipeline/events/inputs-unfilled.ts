import { AuditEventType } from "@signalbox/contracts";
import { quotedReason } from "../../quoted-text.ts";
import type { InputsUnfilled } from "../event.ts";
import { type Ledger, record, type StageView } from "../ledger.ts";
import { askAboutFailure, failFinally } from "../stage-failure.ts";

/** SACP-33 (D11): the stage has failed, for another attempt would lack the same; edges and strategy decide as of any failure. */
export function inputsUnfilled(ledger: Ledger, stage: StageView, event: InputsUnfilled): void {
  const reason = quotedReason(event.problem);
  const consequence = failFinally(
    ledger.state,
    { stage, code: "INPUTS_MISSING", reason },
    "nothing is sent half filled",
  );
  record(ledger, {
    eventType: AuditEventType.DISPATCH_DECISION,
    action: consequence.action,
    rationale: consequence.because,
    stage,
    snapshot: { case: "dispatch", value: { selectedPackId: "", attemptNumber: event.attemptNumber } },
    changes: consequence.changes,
  });
  askAboutFailure(ledger, stage, consequence);
}
