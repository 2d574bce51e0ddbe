import { AuditEventType, INSTANCE_STOPPED, Outcome, type AgentResult } from "@signalbox/contracts";
import { quotedName, quotedReason } from "../../quoted-text.ts";
import { escalate } from "../escalate.ts";
import type { ResultAccepted } from "../event.ts";
import type { FactSnapshot } from "../fact.ts";
import { type Ledger, orchestrator, record, type StageView } from "../ledger.ts";
import { askAboutFailure, failFinally, type Failure, handBackOrFail, retryOrFail } from "../stage-failure.ts";

const codeOf = ({ status }: AgentResult): string => quotedName(status?.failureCode || "UNNAMED_FAILURE");
const reasonOf = ({ status }: AgentResult): string =>
  quotedReason(status?.failureReason || status?.summary || "no reason given");

/** SACP-51 (SACP §11): what is to be done, before what was wrong. */
const instructionFor = (code: string): string => {
  if (code === "SACP_SCHEMA") return "Answer again, with data that meets the stage's schema.";
  if (code === "SACP_UNPARSEABLE")
    return "Answer again, with one JSON object of the response format and nothing else.";
  return "Do the work again, so that it does not fail in the same way.";
};

/** REPORT-3 (4.3): policy stands in the way, whatever a gate would say and whatever the failure strategy is. */
export function askAboutBlocked(ledger: Ledger, stage: StageView, { result }: ResultAccepted): void {
  escalate(ledger, stage, {
    cause: "policy-blocked",
    problem: `Policy blocked stage "${stage.plan.stageId}" (${codeOf(result)}): ${reasonOf(result)}`,
    recommended: "retry",
  });
}

/** REPORT-2, SENT-11 (4.3): an agent's own failure leaves a gate nothing to judge; its outcome alone decides. */
export function failByOutcome(
  ledger: Ledger,
  stage: StageView,
  { result }: ResultAccepted,
  snapshot: FactSnapshot,
): void {
  const code = codeOf(result);
  const said = `${code}: ${reasonOf(result)}`;
  const failure: Failure = { stage, code, reason: `The agent failed, ${said}` };
  const tryAgain = code === INSTANCE_STOPPED ? handBackOrFail : retryOrFail;
  const consequence =
    result.status?.outcome === Outcome.RETRYABLE_FAILURE
      ? tryAgain(ledger, {
          ...failure,
          feedback: {
            kind: "retry",
            fromAttempt: stage.state.attemptNumber,
            text: `${instructionFor(code)} The last attempt failed, ${said}`,
            question: null,
            failedChecks: [],
            by: orchestrator,
          },
        })
      : failFinally(ledger.state, failure, "the failure is not retryable");
  record(ledger, {
    eventType: AuditEventType.RESULT_VALIDATED,
    action: consequence.action,
    rationale: consequence.because,
    stage,
    snapshot,
    changes: consequence.changes,
  });
  askAboutFailure(ledger, stage, consequence);
}
