import { AuditEventType, Confidence, Outcome, type AgentResult } from "@signalbox/contracts";
import { quotedName } from "../../quoted-text.ts";
import { guardrailRecord } from "../../sacp/guardrail-record.ts";
import type { ResultAccepted } from "../event.ts";
import type { FactSnapshot } from "../fact.ts";
import { changeStage, type Ledger, record, stageAt, type StageView } from "../ledger.ts";
import type { StageResult } from "../state.ts";
import { applyJudgement } from "./judgement-applied.ts";
import { askAboutBlocked, failByOutcome } from "./outcome-applied.ts";

/** REPORT-1: a result is received, then validated, then judged, each on record; from receipt on it is the one that counts. */
export function resultAccepted(ledger: Ledger, stage: StageView, event: ResultAccepted): void {
  const { dispatch } = stage.state;
  if (dispatch === null) return;
  const snapshot = resultSnapshot(event);
  const { packId, instanceId } = dispatch;
  record(ledger, {
    eventType: AuditEventType.RESULT_RECEIVED,
    action: "result.received",
    rationale: `${packId} (${instanceId}) reported on attempt ${event.attemptNumber}`,
    actor: event.by,
    stage,
    snapshot,
    changes: [
      changeStage(stage, {
        dispatch: { ...dispatch, reportedAt: ledger.now },
        result: stageResult(event, packId, ledger.now),
      }),
    ],
  });
  const reported = stageAt(ledger.state, stage.index);
  if (reported === undefined) return;
  recordGuardrails(ledger, reported, event, snapshot);
  const outcome = event.result.status?.outcome;
  if (event.judgement === null && outcome !== Outcome.POLICY_BLOCKED) {
    failByOutcome(ledger, reported, event, snapshot);
    return;
  }
  record(ledger, {
    eventType: AuditEventType.RESULT_VALIDATED,
    action: "result.validated",
    rationale: "The result fits its schema, its dispatch and its attempt",
    stage: reported,
    snapshot,
  });
  if (event.judgement === null || outcome === Outcome.POLICY_BLOCKED)
    askAboutBlocked(ledger, reported, event);
  else applyJudgement(ledger, reported, event.judgement);
}

/** SACP-45 (SACP 9.1): each rule that changed the answer is on record by its name. */
function recordGuardrails(
  ledger: Ledger,
  stage: StageView,
  { guardrails = [] }: ResultAccepted,
  snapshot: FactSnapshot,
): void {
  for (const guardrail of guardrails)
    record(ledger, {
      eventType: AuditEventType.RESULT_VALIDATED,
      ...guardrailRecord(guardrail),
      stage,
      snapshot,
    });
}

function stageResult({ result, ...fence }: ResultAccepted, packId: string, now: number): StageResult {
  return {
    dispatchId: fence.dispatchId,
    attemptNumber: fence.attemptNumber,
    packId,
    acceptedAt: now,
    outcome: result.status?.outcome ?? Outcome.UNSPECIFIED,
    confidence: result.status?.confidence ?? Confidence.UNSPECIFIED,
    summary: result.status?.summary ?? "",
    contextOut: result.contextOut ?? null,
    artifacts: result.artifacts,
    response: result.response ?? null,
  };
}

function resultSnapshot({ result, schemaVersionExpected }: ResultAccepted): FactSnapshot {
  return {
    case: "result",
    value: {
      outcome: result.status?.outcome ?? Outcome.UNSPECIFIED,
      confidence: result.status?.confidence ?? Confidence.UNSPECIFIED,
      failureCode: quotedName(result.status?.failureCode ?? ""),
      artifactsCount: result.artifacts.length,
      evidenceCount: evidenceCount(result),
      blockersCount: result.blockers.length,
      ...(result.timing === undefined ? {} : { timing: result.timing }),
      validationPassed: true,
      schemaVersionReceived: quotedName(result.protocolVersion?.schemaVersion ?? ""),
      schemaVersionExpected,
    },
  };
}

function evidenceCount({ evidence }: AgentResult): number {
  return evidence?.evidencePayload.case === "items" ? evidence.evidencePayload.value.items.length : 0;
}
