import { builtInRules, redactSecrets } from "../redaction/redact-text.ts";
import { DOCUMENT_LIMITS } from "./document-text.ts";
import { type Fault, faultAt, inOrder, type Place } from "./fault.ts";

const placeOf = (text: string, offset: number): Place => {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - start + 1 };
};

/** DOC-25: what a database's text cannot hold, or what would come back as something else. */
const unkeepable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export function findUnkeepable(text: string): Fault[] {
  const offset = text.search(unkeepable);
  if (offset === -1) return [];
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0");
  const message = `the character U+${code} stands here, which cannot be kept as it is; write it as an escape, or leave it out`;
  return [faultAt(placeOf(text, offset), { path: [], rule: "syntax", message })];
}

/**
 * DOC-26: a document cannot be masked without changing it, so one with a secret is refused. Each line that holds one is
 * named, and nothing of it is quoted. A secret that only shows over several lines is told where it begins.
 */
export function findSecrets(text: string): Fault[] {
  // What is too long is refused for that, without this work.
  if (text.length > DOCUMENT_LIMITS.characters) return [];
  const masked = redactSecrets(text, builtInRules);
  if (masked.rules.length === 0) return [];
  const first = placeOf(text, firstDifference(text, masked.text));
  const faults = text.split("\n").flatMap((line, index) => {
    const { text: without, rules } = redactSecrets(line, builtInRules);
    if (rules.length === 0) return [];
    return [secretAt({ line: index + 1, column: firstDifference(line, without) + 1 }, rules)];
  });
  const told = faults.some(({ line }) => line === first.line);
  return inOrder(told ? faults : [secretAt(first, masked.rules.slice(0, 1)), ...faults]);
}

const secretAt = (place: Place, rules: readonly string[]): Fault => {
  const message = `what stands here looks like a secret (${[...new Set(rules)].join(", ")}); documents are kept and shown as they are written, so name where the secret is kept instead`;
  return faultAt(place, { path: [], rule: "secret", message });
};

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
