import { AuditEventType, StageStatus } from "@signalbox/contracts";
import { quotedInstructions, quotedReason } from "../../quoted-text.ts";
import { applyChange } from "../apply-change.ts";
import { decideEdges } from "../edges.ts";
import { endStage } from "../enter-ready.ts";
import { escalate } from "../escalate.ts";
import type { Decider, FactAction, RetryBudget } from "../fact.ts";
import type { Judgement } from "../judgement.ts";
import { type Ledger, orchestrator, record, stageAt, stageNamed, type StageView } from "../ledger.ts";
import { rewind } from "../rewind.ts";
import {
  askAboutFailure,
  failFinally,
  type Failure,
  type FailureConsequence,
  retryBudget,
  retryOrFail,
} from "../stage-failure.ts";
import type { FailedCheck, Feedback, PipelineState } from "../state.ts";

type Gate = Exclude<Judgement, { verdict: "clarify" }>["gate"];

/** VERDICT-2..6: the pipeline does what the gate says, as far as its budgets go. */
export function applyJudgement(ledger: Ledger, stage: StageView, judgement: Judgement): void {
  switch (judgement.verdict) {
    case "advance":
      passGate(ledger, stage, judgement.gate, judgement.rationale);
      return;
    case "retry":
      failGate(ledger, stage, judgement, (failure) => retryOrFail(ledger, failure));
      return;
    case "fail":
      failGate(ledger, stage, judgement, (failure) =>
        failFinally(ledger.state, failure, "the gate says it cannot be fixed"),
      );
      return;
    case "reject":
      reject(ledger, stage, judgement);
      return;
    case "ask":
      escalate(ledger, stage, { ...judgement, problem: quotedReason(judgement.problem), cause: "gate" });
      return;
    case "clarify":
      escalate(ledger, stage, {
        cause: "clarification",
        problem: quotedReason(judgement.question),
        recommended: "answer",
      });
      return;
  }
}

export function passGate(
  ledger: Ledger,
  stage: StageView,
  gate: Gate,
  rationale: string,
  by: Decider = orchestrator,
): void {
  const { edges } = stage.plan;
  const onward = edges.length === 0 ? "" : `; ${decideEdges(stage, { kind: "completed" }).because}`;
  const action: FactAction = by.type === "orchestrator" ? "gate.passed" : "gate.passed-by-person";
  record(ledger, {
    eventType: AuditEventType.GATE_PASSED,
    action,
    rationale: rationale + onward,
    actor: by,
    stage,
    snapshot: {
      case: "gate",
      value: { ...gate, passed: true, ...retryBudget(ledger.state, stage) },
    },
    changes: endStage(ledger.state, stage, { status: StageStatus.COMPLETED }),
  });
}

function failGate(
  ledger: Ledger,
  stage: StageView,
  judgement: Extract<Judgement, { verdict: "retry" | "fail" | "reject" }>,
  decide: (failure: Failure) => FailureConsequence,
): void {
  const reason = quotedReason(judgement.rationale);
  const consequence = decide({
    stage,
    code: "GATE_FAILED",
    reason,
    feedback: feedbackOf(stage, judgement, "retry"),
  });
  record(ledger, {
    eventType: AuditEventType.GATE_FAILED,
    action: consequence.action,
    rationale: consequence.because,
    stage,
    snapshot: {
      case: "gate",
      value: {
        ...judgement.gate,
        passed: false,
        rejectReason: reason,
        ...budgetAfter(ledger.state, stage, consequence),
      },
    },
    changes: consequence.changes,
  });
  askAboutFailure(ledger, stage, consequence);
}

/** VERDICT-3: what is left once the retry that the entry records is taken from it, as a rejection's entry has it. */
function budgetAfter(
  state: PipelineState,
  { index }: StageView,
  { changes }: FailureConsequence,
): RetryBudget {
  const after = changes.reduce((known, change) => applyChange(known, change) ?? known, state);
  const stage = stageAt(after, index);
  return stage === undefined
    ? { stageRetriesLeft: 0, pipelineRetriesLeft: 0, rejectionsLeft: 0 }
    : retryBudget(after, stage);
}

/** VERDICT-7: a rejection past `max_rejections` cannot be mended within the budget, and is a final failure. */
function reject(
  ledger: Ledger,
  stage: StageView,
  judgement: Extract<Judgement, { verdict: "reject" }>,
): void {
  const target = stageNamed(ledger.state, judgement.targetStageId);
  const { rejectionsLeft } = retryBudget(ledger.state, stage);
  if (target === undefined || rejectionsLeft === 0) {
    // Tried again, the stage would judge the same work once more.
    failGate(ledger, stage, judgement, (failure) => ({
      ...failFinally(ledger.state, failure, "the pipeline has no rejection left"),
      ...(target === undefined ? {} : { recommended: "rewind" }),
    }));
    return;
  }
  rewind(ledger, {
    target,
    judged: stage,
    action: "gate.rejected",
    rationale: quotedReason(judgement.rationale),
    feedback: { ...feedbackOf(stage, judgement, "rejection"), fromAttempt: target.state.attemptNumber },
    gate: judgement.gate,
    counts: true,
  });
}

function feedbackOf(
  { state }: StageView,
  judgement: Extract<Judgement, { verdict: "retry" | "fail" | "reject" }>,
  kind: Feedback["kind"],
): Feedback {
  return {
    kind,
    fromAttempt: state.attemptNumber,
    text: quotedInstructions(judgement.verdict === "fail" ? judgement.rationale : judgement.instructions),
    question: null,
    failedChecks: failedChecks(judgement.gate),
    by: orchestrator,
  };
}

export function failedChecks(gate: Gate): FailedCheck[] {
  return (gate.checks ?? []).flatMap(({ gateName = "", passed = false, evidence = "" }) =>
    passed ? [] : { gateName, evidence },
  );
}
