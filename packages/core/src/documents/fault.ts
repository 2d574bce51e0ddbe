import { type FieldPath, formatFieldPath } from "@signalbox/contracts";

/** What can be wrong with a document. The rules of DOC in SPEC.md say when each applies. */
export type FaultRule =
  | "syntax"
  | "size"
  | "depth"
  | "key"
  | "duplicate_key"
  | "unknown_key"
  | "required"
  | "type"
  | "one_of"
  | "bound"
  | "format"
  | "contract"
  | "duplicate"
  | "unknown_pack"
  | "preferred_not_allowed"
  | "unknown_task_type"
  | "unknown_stage"
  | "cycle"
  | "unreachable"
  | "expression"
  | "secret"
  | "version";

/** A fault by its place in the value. `at` tells a key that should not be there from a value that should differ. */
export type Finding = { path: FieldPath; at: "key" | "value"; rule: FaultRule; message: string };

/** A fault by its place in the text; line and column count from 1, the column in UTF-16 units. */
export type Fault = { line: number; column: number; path: string; rule: FaultRule; message: string };

export type Parsed<T> = { kind: "valid"; document: T } | { kind: "refused"; faults: Fault[] };

export type Place = { line: number; column: number };

export const faultAt = (place: Place, { path, rule, message }: Omit<Finding, "at">): Fault => ({
  line: place.line,
  column: place.column,
  path: formatFieldPath(path),
  rule,
  message,
});

const byPlace = (one: Fault, other: Fault) => one.line - other.line || one.column - other.column;

/** Enough for anybody to work through; what is wrong in a thousand places is wrong in one way. */
const MOST_FAULTS = 100;

/** In the order of the text, each fault once. */
export function inOrder(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  const distinct = faults.toSorted(byPlace).filter((fault) => {
    const identity = JSON.stringify(fault);
    return !seen.has(identity) && seen.add(identity);
  });
  return distinct.slice(0, MOST_FAULTS);
}

const LONGEST = 60;

/** What was read, short enough for a message. */
export function readAs(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "a mapping";
  // JSON has neither, and prints both as null.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
