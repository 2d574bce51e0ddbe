import { AuditEventType } from "@signalbox/contracts";
import { quotedName, quotedReason } from "../../quoted-text.ts";
import type { ResultInvalid } from "../event.ts";
import { changeStage, type Ledger, orchestrator, record, type StageView } from "../ledger.ts";
import { askAboutFailure, retryOrFail } from "../stage-failure.ts";

/** REPORT-4 (3.2, D7): an invalid result is a retryable failure; the instance it quarantined can be restored. */
export function resultInvalid(ledger: Ledger, stage: StageView, event: ResultInvalid): void {
  const { dispatch } = stage.state;
  if (dispatch === null) return;
  const error = quotedReason(event.error);
  const reported = { ...dispatch, reportedAt: ledger.now };
  const { packId, instanceId } = dispatch;
  const consequence = retryOrFail(ledger, {
    stage,
    code: "RESULT_INVALID",
    reason: `The result of ${packId} (${instanceId}) is invalid: ${error}`,
    quarantined: event.quarantined ? { packId, instanceId } : null,
    feedback: {
      kind: "retry",
      fromAttempt: stage.state.attemptNumber,
      text: `Report a result that is valid. The last attempt's result was not valid: ${error}`,
      question: null,
      failedChecks: [],
      by: orchestrator,
    },
  });
  record(ledger, {
    eventType: AuditEventType.RESULT_INVALID,
    action: "result.invalid",
    rationale: consequence.because,
    actor: event.by,
    stage,
    snapshot: {
      case: "result",
      value: {
        validationPassed: false,
        validationError: error,
        schemaVersionReceived: quotedName(event.schemaVersionReceived),
        schemaVersionExpected: event.schemaVersionExpected,
        consecutiveInvalidResults: event.consecutiveInvalid,
      },
    },
    // The agent has reported: what it gets is the refusal of its result, and no cancel on top.
    changes: [changeStage(stage, { dispatch: reported }), ...consequence.changes],
  });
  askAboutFailure(ledger, stage, consequence);
}
