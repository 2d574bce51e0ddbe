import type { AgentResponse } from "@signalbox/contracts";
import { neverSaid } from "./compared-words.ts";
import { compileExpression, type Expression, type ExpressionFault, newEnvironment } from "./expression.ts";

/** SACP 9.1: what an operator's rule does to an answer before anybody sees it. */
type GuardrailEffect = "redact_message" | "fail";
export type Guardrail = { readonly name: string; readonly when: string; readonly effect: GuardrailEffect };

export type GuardrailApplied = { readonly name: string; readonly effect: GuardrailEffect };

export type Sensitive = { readonly data: boolean; readonly message: boolean };

const environment = newEnvironment()
  .registerType("Response", {
    schema: { status: "string", data: "map<string, dyn>", message: "string", next_step_hint: "string" },
  })
  .registerType("Sensitive", { schema: { data: "bool", message: "bool" } })
  .registerVariable("response", "Response")
  .registerVariable("sensitive", "Sensitive");

/** A policy's rules are asked at every answer and compiled once. */
const compiled = new WeakMap<Guardrail, Expression | ExpressionFault>();

/** SACP-44: a rule as it is written down, or what is wrong with it. */
export function compileGuardrail(when: string): Expression | ExpressionFault {
  const found = compileRule(when);
  return ("evaluate" in found ? neverSaid(found.compares) : undefined) ?? found;
}

/** Without the words it compares with: a rule in force that has a wrong one goes on doing what it did. */
export function compileRule(when: string): Expression | ExpressionFault {
  const found = compileExpression(environment, when);
  if (found.kind === "faulty") return found.fault;
  const { type } = found.expression;
  if (type === "bool" || type === "dyn") return found.expression;
  return { message: `is of type ${type}; a rule is true or false`, offset: 0 };
}

function expressionOf(rule: Guardrail): Expression | undefined {
  const known = compiled.get(rule) ?? compileRule(rule.when);
  compiled.set(rule, known);
  return "evaluate" in known ? known : undefined;
}

/**
 * SACP-44, SACP-45: the answer as the rules leave it. A rule whose condition cannot be told for this answer, as when it looks at a
 * value that is not there, is not broken by it. Data stays as it is, for the orchestrator.
 */
export function guardAnswer(
  answer: AgentResponse,
  rules: readonly Guardrail[],
  sensitive: Sensitive,
): { readonly answer: AgentResponse; readonly applied: readonly GuardrailApplied[] } {
  let guarded = answer;
  const applied: GuardrailApplied[] = [];
  for (const rule of rules) {
    const { status, data = {}, message, nextStepHint } = answer;
    const response = { status, data, message, next_step_hint: nextStepHint };
    const found = expressionOf(rule)?.evaluate({ response, sensitive });
    if (found?.kind !== "value" || found.value !== true) continue;
    applied.push({ name: rule.name, effect: rule.effect });
    guarded =
      rule.effect === "fail"
        ? { ...guarded, status: "failure" }
        : { ...guarded, message: `[withheld by guardrail ${rule.name}]` };
  }
  return { answer: guarded, applied };
}

/** What a rule may ask for that is kept of no answer. */
const neverKept = ["response", "response.next_step_hint", "sensitive", "sensitive.data", "sensitive.message"];
const ofKept = (kept: KeptAnswer) =>
  typeof kept === "string"
    ? { given: { data: {}, message: kept }, unknown: [...neverKept, "response.data"] }
    : { given: { data: kept, message: "" }, unknown: [...neverKept, "response.message"] };

/** What the cache of SAP keeps of an answer that succeeded: its data, or its message. */
export type KeptAnswer = Readonly<Record<string, unknown>> | string;

/** SACP-44: the rule that changes what is kept of an answer, if one does. A rule that asks for more than was kept cannot be told. */
export function guardrailAgainst(kept: KeptAnswer, rules: readonly Guardrail[]): string | undefined {
  const { given, unknown } = ofKept(kept);
  const response = { status: "success", ...given, next_step_hint: "" };
  const sensitive = { data: false, message: false };
  return rules.find((rule) => {
    // The data of an answer stays as it is where only its message is withheld.
    if (rule.effect === "redact_message" && typeof kept !== "string") return false;
    const expression = expressionOf(rule);
    if (expression === undefined || unknown.some((field) => expression.reads.has(field))) return false;
    const found = expression.evaluate({ response, sensitive });
    return found.kind === "value" && found.value === true;
  })?.name;
}
