import { OutcomeSchema } from "@signalbox/contracts";
import { allowedNames } from "../documents/nearest-name.ts";
import type { Expression, ExpressionFault } from "./expression.ts";

/** What each of these can be; a comparison with anything else is never true. */
const words: Readonly<Record<string, readonly string[]>> = {
  "response.status": ["success", "completed", "failure", "clarification_needed"],
  "result.outcome": OutcomeSchema.values
    .filter(({ number }) => number !== 0)
    .map(({ localName }) => localName),
};

/** SACP-11, SACP-44: a comparison with a word that its field never is, a slip that would be carried out in silence. */
export function neverSaid(compares: Expression["compares"]): ExpressionFault | undefined {
  for (const { field, text, offset } of compares) {
    const known = words[field];
    if (known !== undefined && !known.includes(text)) {
      return { message: `${field} is never "${text}". ${allowedNames(text, known)}`, offset };
    }
  }
  return undefined;
}
