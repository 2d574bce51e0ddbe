import { type DescField, isMessage } from "@bufbuild/protobuf";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { readTypeRules, UnknownRule } from "./read-rules.ts";

/** Whether a value obeys its rules. A value of another type than its field's does not. */
export type Accept = (value: unknown) => boolean;

const ACCEPTORS: Record<string, (rule: unknown, field: DescField) => Accept | undefined> = {
  "string.min_len": (least) => onString((text) => hasLength(text, Number(least), Infinity)),
  "string.max_len": (most) => onString((text) => hasLength(text, 0, Number(most))),
  "string.in": (allowed) => (Array.isArray(allowed) ? among(allowed) : undefined),
  "string.pattern": (pattern) => {
    const expression = new RegExp(String(pattern), "u");
    return onString((text) => expression.test(text));
  },
  "int32.gte": (least) => onNumber((number) => number >= Number(least)),
  "int32.lte": (most) => onNumber((number) => number <= Number(most)),
  "double.gte": (least) => onNumber((number) => number >= Number(least)),
  "double.lte": (most) => onNumber((number) => number <= Number(most)),
  "double.finite": () => Number.isFinite,
  "duration.gt": (bound) => onDuration(bound, (difference) => difference > 0),
  "duration.gte": (bound) => onDuration(bound, (difference) => difference >= 0),
  "enum.defined_only": (_rule, field) => among((field.enum?.values ?? []).map(({ number }) => number)),
  // The rules of a list itself, and of its items, are read where the list is.
  "repeated.min_items": () => undefined,
  "repeated.max_items": () => undefined,
  "repeated.items": () => undefined,
};

/** The check of one value (an item, where the field is a list), or nothing where there are no rules. */
export function valueAcceptor(field: DescField, rules: FieldRules | undefined): Accept | undefined {
  return every(
    readTypeRules(rules).map(({ name, value }) => {
      const acceptor = ACCEPTORS[name];
      if (acceptor === undefined) throw new UnknownRule(`${field.toString()}: ${name}`);
      return acceptor(value, field);
    }),
  );
}

/** All of the checks in one, or nothing where there is nothing to check. */
export function every<Value>(
  checks: readonly (((value: Value) => boolean) | false | undefined)[],
): ((value: Value) => boolean) | undefined {
  const kept = checks.filter((check) => typeof check === "function");
  const [first, second] = kept;
  if (first === undefined || second === undefined) return first;
  if (kept.length === 2) return (value) => first(value) && second(value);
  return (value) => kept.every((check) => check(value));
}

function onString(holds: (text: string) => boolean): Accept {
  return (value) => typeof value === "string" && holds(value);
}

function onNumber(holds: (number: number) => boolean): Accept {
  return (value) => typeof value === "number" && holds(value);
}

function onDuration(bound: unknown, holds: (difference: number) => boolean): Accept {
  if (!isMessage(bound, DurationSchema)) throw new UnknownRule("a duration's bound must be a duration");
  return (value) => isMessage(value, DurationSchema) && holds(compare(value, bound));
}

function among(allowed: readonly unknown[]): Accept {
  return (value) => allowed.includes(value);
}

/** Length in code points, which are counted only where UTF-16 units do not settle it. */
function hasLength(text: string, least: number, most: number): boolean {
  const units = text.length;
  if (units <= most && units >= 2 * least) return true;
  if (units < least || units > 2 * most) return false;
  const points = Array.from(text).length;
  return points >= least && points <= most;
}

function compare(a: Duration, b: Duration): number {
  if (a.seconds === b.seconds) return a.nanos - b.nanos;
  return a.seconds < b.seconds ? -1 : 1;
}
