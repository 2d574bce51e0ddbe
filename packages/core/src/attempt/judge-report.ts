import {
  type AgentManifest,
  type AgentResult,
  Outcome,
  OutcomeSchema,
  type Violation,
} from "@signalbox/contracts";
import { checkResult, type ResultCheck, type ResultFault } from "../dispatch/check-result.ts";
import { type GateDecision, judgeResult } from "../gate/judge-result.ts";
import { type ReportedWork, workReport } from "../gate/reported-work.ts";
import type { ResultAccepted } from "../pipeline/event.ts";
import type { Decider } from "../pipeline/fact.ts";
import { type StageView } from "../pipeline/ledger.ts";
import { isNotTaken } from "../pipeline/edges.ts";
import { isUpstream } from "../pipeline/plan.ts";
import type { CurrentDispatch, PipelineState } from "../pipeline/state.ts";
import { quotedReason } from "../quoted-text.ts";
import type { Mark } from "../redaction/redact-value.ts";
import type { Guardrail } from "../sacp/guardrails.ts";
import { asksForAnswer } from "./answer-format.ts";
import { type Asked, settleAnswer } from "./settle-answer.ts";
import type { Task } from "./task.ts";

export type Report = {
  /** Whose key it came with. */
  readonly by: Decider;
  /** As it will be stored: masked already (D21). */
  readonly result: AgentResult;
  /** What was masked of it. */
  readonly masked: readonly Mark[];
  /** The dispatch that the transport named. */
  readonly dispatchId: string;
  /** What the contract's own rules found. */
  readonly violations: readonly Violation[];
};

export type ReportFacts = {
  readonly state: PipelineState;
  readonly stage: StageView;
  readonly dispatch: CurrentDispatch;
  readonly task: Task;
  readonly traceId: string;
  /** Of the pack that was sent the work. */
  readonly manifest: AgentManifest | undefined;
  /** Of the policy in force. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  /** What its agent told of the work; undefined where nothing is held against it. */
  readonly reported?: ReportedWork | undefined;
  /** Of the messages that this orchestrator speaks. */
  readonly schemaVersion: string;
};

export type ReportJudgement =
  | {
      readonly kind: "accepted";
      readonly event: ResultAccepted;
      readonly gate: GateDecision;
      readonly check: ResultCheck;
    }
  | {
      readonly kind: "invalid";
      readonly faults: readonly ResultFault[];
      readonly error: string;
      readonly check: ResultCheck;
    }
  | { readonly kind: "stale"; readonly message: string };

/** ATT-5 (A2A 3.2, step 7; D14): a report on a stage's current dispatch is checked, and what is valid goes through the gate. */
export function judgeReport(facts: ReportFacts, report: Report): ReportJudgement {
  const { dispatch, traceId, schemaVersion } = facts;
  const { result, violations } = report;
  const { dispatchId, attemptNumber } = dispatch;
  const expected = { dispatchId, attemptNumber, traceId, schemaVersion };
  const check = checkResult(result, expected, report.dispatchId, violations);
  if (check.kind === "stale") return check;
  const { config } = facts.task.stages[facts.stage.index] ?? {};
  const asked = { answer: asksForAnswer(config, facts.manifest), config };
  const unsaid = saysNoOutcome(result, asked) ? [noOutcome] : [];
  if (check.kind === "invalid") return invalid([...check.faults, ...unsaid]);
  if (unsaid.length > 0) return invalid(unsaid);
  const settled = settleAnswer(result, asked, facts.guardrails ?? [], report.masked);
  const gate = judgeAtGate(facts, { ...report, result: settled.result });
  const event: ResultAccepted = {
    kind: "result-accepted",
    by: report.by,
    stageId: facts.stage.plan.stageId,
    dispatchId,
    attemptNumber,
    result: settled.result,
    ...(settled.guardrails.length === 0 ? {} : { guardrails: settled.guardrails }),
    schemaVersionExpected: schemaVersion,
    judgement: gate.judgement,
  };
  return { kind: "accepted", event, gate, check };
}

function invalid(faults: readonly ResultFault[]): ReportJudgement {
  const error = quotedReason(faults.map(({ message }) => message).join("; "));
  return { kind: "invalid", faults, error, check: { kind: "invalid", faults } };
}

/** An agent that gives an answer, or was asked for one, says there what became of the work. */
const saysNoOutcome = ({ status, response }: AgentResult, { answer }: Asked): boolean =>
  response === undefined && !answer && (status?.outcome ?? Outcome.UNSPECIFIED) === Outcome.UNSPECIFIED;

/** DSP-106: the one field of a result on which all else hangs. */
const noOutcome: ResultFault = {
  reason: "schema",
  message: `status.outcome: is not said; ${OutcomeSchema.values
    .filter(({ number }) => number !== Outcome.UNSPECIFIED)
    .map(({ name }) => name)
    .join(", ")} are allowed`,
  found: { field: "status.outcome", rule: "required" },
};

function judgeAtGate(
  { state, stage, dispatch, task, reported }: ReportFacts,
  { result, masked }: Report,
): GateDecision {
  const { submission, stages, patchSizeLimit } = task;
  const { contract = submission.contract, config } = stages[stage.index] ?? {};
  if (contract === undefined) throw new TypeError("a task without a contract was let through");
  const upstream = state.plan.stages.filter(
    ({ stageOrder }) =>
      stageOrder !== stage.index &&
      isUpstream(state.plan, stageOrder, stage.index) &&
      !wasNotTaken(state, stageOrder),
  );
  return judgeResult({
    result,
    contract,
    safety: submission.safety,
    tier: dispatch.riskTier,
    patchSizeLimit,
    stageId: stage.plan.stageId,
    upstreamStageIds: upstream.map(({ stageId }) => stageId),
    previousStageIds: upstream
      .filter(({ stageOrder }) => stage.plan.dependsOn.includes(stageOrder))
      .map(({ stageId }) => stageId),
    escalateOnFlags: config?.handoffPolicy?.escalation?.autoEscalateOnSecurityFlag ?? [],
    work: {
      ...(reported && workReport(reported)),
      ...(result.linesChanged === undefined ? {} : { linesChanged: result.linesChanged }),
    },
    masked,
  });
}

/** SACP-29: a branch that was not taken is no stage to send the work back to. */
function wasNotTaken({ stages }: PipelineState, order: number): boolean {
  const stage = stages[order];
  return stage !== undefined && isNotTaken(stage);
}
