import { SignalboxError } from "@signalbox/contracts";

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
