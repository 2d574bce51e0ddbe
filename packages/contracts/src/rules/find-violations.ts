import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import { messageAcceptor } from "./message-acceptor.ts";
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
  return result.violations ?? [];
}

function accepts(schema: DescMessage, message: unknown): boolean {
  try {
    return messageAcceptor(schema)?.(message) ?? true;
  } catch (error) {
    if (error instanceof UnknownRule) return false;
    throw error;
  }
}
