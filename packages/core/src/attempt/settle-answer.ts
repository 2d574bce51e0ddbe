import { clone, create } from "@bufbuild/protobuf";
import {
  AgentResponseSchema,
  type AgentResponse,
  type AgentResult,
  Outcome,
  ResultStatusSchema,
  type StageConfig,
} from "@signalbox/contracts";
import { readAnswer } from "@signalbox/contracts/sacp";
import type { Mark } from "../redaction/redact-value.ts";
import { type AnswerOutcome, answerOutcome } from "../sacp/answer-outcome.ts";
import { guardAnswer, type Guardrail, type GuardrailApplied } from "../sacp/guardrails.ts";
import { compileOutputSchema, type DataCheck } from "../sacp/output-schema.ts";
import { agentResponse } from "../sacp/sacp-result.ts";
import { type FoundAnswer, maskedMembers } from "./masked-members.ts";

export type SettledAnswer = {
  /** The result as it counts: with its answer, and the outcome that the answer comes to. */
  readonly result: AgentResult;
  readonly guardrails: readonly GuardrailApplied[];
};

const failures: ReadonlySet<Outcome> = new Set([
  Outcome.RETRYABLE_FAILURE,
  Outcome.NON_RETRYABLE_FAILURE,
  Outcome.POLICY_BLOCKED,
]);
const outcomeOf = ({ status }: AgentResult): Outcome => status?.outcome ?? Outcome.UNSPECIFIED;

/** What was asked of the agent: whether for an answer, and of what kind its data must be. */
export type Asked = { readonly answer: boolean; readonly config: StageConfig | undefined };

/**
 * SACP-42 to SACP-51 (D12): what a result's answer makes of it. A result without an answer, where none was asked for, is
 * handed through as it is.
 */
export function settleAnswer(
  result: AgentResult,
  asked: Asked,
  guardrails: readonly Guardrail[],
  masked: readonly Mark[],
): SettledAnswer {
  const found = answerIn(result, asked);
  if (found === undefined) return { result, guardrails: [] };
  const sensitive = maskedMembers(found, masked);
  const { answer, applied } = guardAnswer(found.answer, guardrails, sensitive);
  if (found.standsIn && applied.length === 0) return { result, guardrails: [] };
  const said = settledOutcome(result, answer, found.fault, applied, asked.config);
  const changed = said !== undefined || answer !== result.response;
  if (!changed) return { result, guardrails: applied };
  const settled = withAnswer(result, answer, said);
  return { result: found.standsIn ? { ...settled, response: undefined } : settled, guardrails: applied };
}

/** SACP-43: an answer that was asked for and is not there is looked for in the summary: an agent may report its model's text. */
function answerIn(result: AgentResult, asked: Asked): FoundAnswer | undefined {
  if (result.response !== undefined) {
    return { answer: result.response, fault: null, text: null, standsIn: false };
  }
  if (!asked.answer) return undefined;
  const text = result.status?.summary ?? "";
  const { response, fault } = readAnswer(text);
  if (fault !== null && failures.has(outcomeOf(result))) {
    const answer = create(AgentResponseSchema, { status: "failure", data: {}, message: text });
    return { answer, fault: null, text, standsIn: true };
  }
  return { answer: create(AgentResponseSchema, agentResponse(response)), fault, text, standsIn: false };
}

/** What the outcome becomes; undefined where it stays as the agent said. No answer makes a success of a failure. */
function settledOutcome(
  result: AgentResult,
  answer: AgentResponse,
  fault: string | null,
  applied: readonly GuardrailApplied[],
  config: StageConfig | undefined,
): AnswerOutcome | undefined {
  const own = outcomeOf(result);
  const forced = applied.find(({ effect }) => effect === "fail");
  if (forced !== undefined && own !== Outcome.POLICY_BLOCKED) {
    const failureReason = `Guardrail "${forced.name}" failed the answer`;
    return { outcome: Outcome.NON_RETRYABLE_FAILURE, failureCode: "SACP_GUARDRAIL", failureReason };
  }
  const mapped = answerOutcome(answer);
  if (mapped.failureCode === "SACP_UNPARSEABLE" && own !== Outcome.POLICY_BLOCKED) {
    const failureReason = result.status?.failureReason || mapped.failureReason;
    return { ...mapped, failureReason: fault === null ? failureReason : `${failureReason} (${fault})` };
  }
  if (failures.has(own)) return undefined;
  if (mapped.failureCode !== "") return mapped;
  if (mapped.outcome === Outcome.SUCCESS) {
    const why = checkOf(config)?.(answer.data ?? {}) ?? null;
    if (why !== null) {
      const failureReason = `The answer does not meet the stage's schema: ${why}`;
      return { outcome: Outcome.RETRYABLE_FAILURE, failureCode: "SACP_SCHEMA", failureReason };
    }
  }
  return own === Outcome.UNSPECIFIED ? mapped : undefined;
}

/** By the stage of a template, which never changes once published. */
const checks = new WeakMap<StageConfig, DataCheck>();

function checkOf(config: StageConfig | undefined): DataCheck | undefined {
  if (config?.outputSchema === undefined) return undefined;
  const known = checks.get(config);
  if (known !== undefined) return known;
  const found = compileOutputSchema(config.outputSchema);
  const check = found.kind === "compiled" ? found.check : () => "the schema of the template is none";
  checks.set(config, check);
  return check;
}

function withAnswer(
  result: AgentResult,
  answer: AgentResponse,
  said: AnswerOutcome | undefined,
): AgentResult {
  const summary =
    result.response === undefined || answer.message !== result.response.message ? answer.message : undefined;
  const status = Object.assign(
    result.status === undefined ? create(ResultStatusSchema) : clone(ResultStatusSchema, result.status),
    summary === undefined ? {} : { summary },
    said,
  );
  return { ...result, response: answer, status };
}
