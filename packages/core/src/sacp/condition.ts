import { type AgentResponse, Outcome, OutcomeSchema } from "@signalbox/contracts";
import { neverSaid } from "./compared-words.ts";
import { compileExpression, type Expression, type ExpressionFault, newEnvironment } from "./expression.ts";

/** What a condition may look at (D10). A thought is for people only (SACP 2.1). */
export type ConditionFacts = {
  readonly response: {
    readonly status: string;
    readonly data: object;
    readonly message: string;
    readonly next_step_hint: string;
  };
  readonly result: { readonly outcome: string };
};

export type Condition = {
  /**
   * It says itself which end of the stage it is for. One that only looks at data presupposes success, like none at all:
   * else a score would carry refused work onward.
   */
  readonly tellsEnds: boolean;
  readonly expression: Expression;
};

export type CompiledCondition =
  | { readonly kind: "compiled"; readonly condition: Condition }
  | { readonly kind: "faulty"; readonly fault: ExpressionFault };

const environment = newEnvironment()
  .registerType("Response", {
    schema: { status: "string", data: "map<string, dyn>", message: "string", next_step_hint: "string" },
  })
  .registerType("Result", { schema: { outcome: "string" } })
  .registerVariable("response", "Response")
  .registerVariable("result", "Result");

const outcomeName = (outcome: Outcome): string => OutcomeSchema.value[outcome]?.localName ?? "";

/** Compiled once; conditions come from published templates, and a tenant that publishes many only pays for compiling again. */
const compiled = new Map<string, CompiledCondition>();
const MOST_KEPT = 10_000;

/** SACP-10, SACP-11: a condition of an edge, or what is wrong with it. */
export function compileCondition(text: string): CompiledCondition {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const found = compileAnew(text);
  if (compiled.size >= MOST_KEPT) compiled.clear();
  compiled.set(text, found);
  return found;
}

function compileAnew(text: string): CompiledCondition {
  const found = compileExpression(environment, text);
  if (found.kind === "faulty") return found;
  const { expression } = found;
  const fault = faultOf(expression);
  if (fault !== undefined) return { kind: "faulty", fault };
  const tellsEnds = expression.reads.has("response.status") || expression.reads.has("result.outcome");
  return { kind: "compiled", condition: { tellsEnds, expression } };
}

function faultOf({ type, reads, compares }: Expression): ExpressionFault | undefined {
  if (type !== "bool" && type !== "dyn")
    return { message: `is of type ${type}; a condition is true or false`, offset: 0 };
  if (reads.size === 0)
    return { message: "looks at nothing of the answer, so it is always the same", offset: 0 };
  return neverSaid(compares);
}

/** What was answered, as conditions see it. A stage without an answer in SACP has its outcome alone. */
export const factsOf = (
  response: Pick<AgentResponse, "status" | "data" | "message" | "nextStepHint">,
  outcome: Outcome,
): ConditionFacts => ({
  response: {
    status: response.status,
    data: response.data ?? {},
    message: response.message,
    next_step_hint: response.nextStepHint,
  },
  result: { outcome: outcomeName(outcome) },
});

/** What an answer says besides how the stage ended. */
const said: ReadonlySet<string> = new Set([
  "response",
  "response.data",
  "response.message",
  "response.next_step_hint",
]);

const endAt = (status: string, outcome: Outcome): ConditionFacts =>
  factsOf({ status, data: {}, message: "", nextStepHint: "" }, outcome);

const successes = ["success", "completed"].map((status) => endAt(status, Outcome.SUCCESS));
const failures = [Outcome.NON_RETRYABLE_FAILURE, Outcome.RETRYABLE_FAILURE].map((outcome) =>
  endAt("failure", outcome),
);

/**
 * SACP-34: whether a stage that was done might have gone this way, had it answered otherwise: with other data, or by the other
 * word for a success. What a failure takes by its status or outcome, such as an error handler, is missed by no success.
 */
export function isWayOn({ tellsEnds, expression }: Condition, facts: ConditionFacts): boolean {
  const couldHold = (at: ConditionFacts): boolean => expression.couldHold(at, said);
  if (!tellsEnds || couldHold(facts)) return true;
  return successes.some(couldHold) && !failures.some(couldHold);
}
