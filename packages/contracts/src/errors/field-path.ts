/** A key of an object or map, or a position in a list. */
export type FieldPath = readonly (string | number)[];

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;
const LONGEST_KEY = 64;

/** Bounds a name that came from outside before it goes into an answer or a log. */
export function quoteBriefly(text: string): string {
  return JSON.stringify(text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY).toWellFormed()}…` : text);
}

/**
 * The one form of a path in `violations[].field`, that of protovalidate: `refs[0].uri_or_locator`,
 * `pressure["two words"]`, and the empty string for the whole.
 */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (step.length > LONGEST_KEY || !IDENTIFIER.test(step)) text += `[${quoteBriefly(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
