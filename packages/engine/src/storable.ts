import { SignalboxError, type AgentManifest } from "@signalbox/contracts";

/** PostgreSQL's text holds every character but this one, which JSON and protobuf both let through. */
export const holdsNul = (text: string): boolean => text.includes("\0");

/**
 * Half of a surrogate pair, which JSON.stringify alone writes as such an escape: what holds one could be written and never
 * be read again, for the contract's JSON is UTF-8.
 */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

export function refuseHalfPairs(json: string): void {
  if (!json.includes("\\ud") || !HALF_PAIR.test(json)) return;
  throw new SignalboxError(
    "VALIDATION_FAILED",
    "A text holds half of a surrogate pair, which is no text in UTF-8.",
  );
}

/** What of a manifest becomes a column of its own. The manifest itself is kept as JSON, which escapes the character. */
export function refuseNul({ packId, supportedTaskTypes }: AgentManifest): void {
  const columns: [field: string, text: string][] = [
    ["pack_id", packId],
    ...supportedTaskTypes.map((type, index): [string, string] => [`supported_task_types[${index}]`, type]),
  ];
  const violations = columns
    .filter(([, text]) => holdsNul(text))
    .map(([field]) => ({ field, rule: "no_nul", message: "must not contain the character U+0000" }));
  if (violations.length === 0) return;
  throw new SignalboxError("VALIDATION_FAILED", "A name cannot be stored.", { violations });
}
