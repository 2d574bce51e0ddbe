import { type DescMessage, getOption, type MessageShape } from "@bufbuild/protobuf";
import { createValidator, Violation } from "@bufbuild/protovalidate";
import { message as messageOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { messageAcceptor } from "./message-acceptor.ts";
import { messageRules } from "./message-rules.ts";
import { ruleRegistry } from "./predefined-rules.ts";
import { UnknownRule } from "./read-rules.ts";

// Every pattern stands in the contract and is linear, so the platform's engine is as safe here as RE2, and faster.
const expressions = new Map<string, RegExp>();

/** Protovalidate, told of the contract's own rules: the authority on what is valid. */
export const validator = createValidator({
  registry: ruleRegistry,
  regexMatch: (pattern, text) => {
    let expression = expressions.get(pattern);
    if (expression === undefined) expressions.set(pattern, (expression = new RegExp(pattern, "u")));
    return expression.test(text);
  },
});

/**
 * What protovalidate finds against a message. A message that the compiled rules accept, as nearly all are, is let
 * through without it: CEL alone takes longer than the budget of an envelope.
 */
export function findViolations<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): readonly Violation[] {
  if (accepts(schema, message)) return [];
  const result = validator.validate(schema, message);
  if (result.kind === "error") throw result.error;
  const found = result.violations ?? [];
  return [...found, ...passedOver(schema, message, found)];
}

/** Rules that an expression gives up on because searching a list of that length would cost its cube. */
function passedOver(schema: DescMessage, message: unknown, found: readonly Violation[]): Violation[] {
  // A list that is too long is refused for that, and is not searched at all.
  if (found.some(({ ruleId }) => ruleId === "repeated.max_items")) return [];
  return getOption(schema, messageOption)
    .cel.filter(({ id }) => messageRules.get(id)?.(message) === false)
    .filter(({ id }) => found.every(({ ruleId }) => ruleId !== id))
    .map((rule) => new Violation(rule.message, rule.id, [], [], false));
}

function accepts(schema: DescMessage, message: unknown): boolean {
  try {
    return messageAcceptor(schema)?.(message) ?? true;
  } catch (error) {
    if (error instanceof UnknownRule) return false;
    throw error;
  }
}
