import { SignalboxError } from "@signalbox/contracts";

/** PostgreSQL's text holds every character but this one, which JSON and protobuf both let through. */
export const holdsNul = (text: string): boolean => text.includes("\0");

/**
 * Half of a surrogate pair, which JSON.stringify alone writes as such an escape: what holds one could be written and never
 * be read again, for the contract's JSON is UTF-8.
 */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

export function refuseHalfPairs(json: string): void {
  if (json.includes("\\ud") && HALF_PAIR.test(json)) throw halfPair();
}

/** The same of what is not printed yet. */
export function refuseHalfPairsIn(value: unknown): void {
  if (holdsHalfPair(value)) throw halfPair();
}

function holdsHalfPair(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsHalfPair);
  for (const name of Object.keys(value))
    if (!name.isWellFormed() || holdsHalfPair(Reflect.get(value, name))) return true;
  return false;
}

const halfPair = () =>
  new SignalboxError(
    "VALIDATION_FAILED",
    "A text holds half of a surrogate pair, which is no text in UTF-8.",
  );
