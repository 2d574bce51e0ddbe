import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { formatFieldPath } from "../errors/field-path.ts";
import { MOST_VIOLATIONS, type Violation } from "../errors/signalbox-error.ts";
import { allowedNames, isStringField, perDescriptor, STRUCT, VALUE } from "./descriptors.ts";

const EARLIEST_SECOND = -62_135_596_800n; // 0001-01-01T00:00:00Z
const LATEST_SECOND = 253_402_300_799n; // 9999-12-31T23:59:59Z
const LONGEST_SECONDS = 315_576_000_000n; // google/protobuf/duration.proto
const NANOS = 1_000_000_000;

/** A field that can be at fault; numbers, flags and bytes are right whatever they hold. */
type Member = {
  readonly field: DescField;
  readonly kind: "text" | "enum" | "json" | "message" | "key";
  readonly numbers: ReadonlySet<unknown>;
};

/**
 * What a decoded message may hold and no message from outside may: enum numbers that the contract does not define
 * (proto3 enums are open, and few carry a rule), text that PostgreSQL cannot store, and times, durations and Structs
 * that have no JSON mapping, which would fail only later, when the message is written.
 */
export function findMessageFaults(schema: DescMessage, message: object): readonly Violation[] {
  const search: Search = { faults: [], path: [] };
  checkMessage(search, schema, message);
  return search.faults;
}

type Search = { readonly faults: Violation[]; readonly path: (string | number)[] };

function checkMessage(search: Search, desc: DescMessage, value: unknown): void {
  const holder = recordOf(value);
  if (desc.typeName === "google.protobuf.Timestamp") return checkTimestamp(search, holder);
  if (desc.typeName === "google.protobuf.Duration") return checkDuration(search, holder);
  if (desc.typeName === VALUE) checkValue(search, holder);
  for (const member of membersOf(desc)) {
    const held = heldIn(holder, member.field);
    // The defaults, which most fields hold: nothing, no text, the first of an enum.
    if (held === undefined || held === "" || held === 0) continue;
    search.path.push(member.field.name);
    checkMember(search, member, held);
    search.path.pop();
  }
}

function checkMember(search: Search, member: Member, value: unknown): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) within(search, index, member, value[index]);
  } else if (member.field.fieldKind === "map") {
    for (const [key, element] of Object.entries(recordOf(value))) {
      search.path.push(key);
      checkKey(search, key);
      checkElement(search, member, element);
      search.path.pop();
    }
  } else checkElement(search, member, value);
}

function within(search: Search, index: number, member: Member, element: unknown): void {
  search.path.push(index);
  checkElement(search, member, element);
  search.path.pop();
}

function checkElement(search: Search, { kind, field, numbers }: Member, value: unknown): void {
  if (kind === "text") checkText(search, value);
  else if (kind === "json") checkJson(search, value);
  else if (field.message !== undefined) checkMessage(search, field.message, value);
  else if (field.enum !== undefined && !numbers.has(value)) reportNumber(search, field.enum, value);
}

function reportNumber(search: Search, desc: DescEnum, value: unknown): void {
  report(search, "enum.defined_only", `is ${String(value)} where one of ${allowedNames(desc)} is expected`);
}

function checkText(search: Search, text: unknown): void {
  if (typeof text === "string" && text.includes("\0")) {
    report(search, "text.nul", "holds U+0000, which cannot be stored; leave it out");
  }
}

function checkKey(search: Search, key: string): void {
  checkText(search, key);
  if (key === "__proto__") report(search, "json.name", "is a name that is not allowed");
}

/** A Struct in a field is held as the JSON it stands for. */
function checkJson(search: Search, value: unknown): void {
  if (typeof value === "string") return checkText(search, value);
  if (typeof value === "number") return checkFinite(search, value);
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, element] of Object.entries(value)) {
    search.path.push(isList ? Number(key) : key);
    checkKey(search, key);
    checkJson(search, element);
    search.path.pop();
  }
}

function checkValue(search: Search, { kind }: Readonly<Record<string, unknown>>): void {
  const { case: name, value } = recordOf(kind);
  if (name === undefined)
    report(search, "type", "is a google.protobuf.Value without a value; send null_value for null");
  if (typeof value === "number") checkFinite(search, value);
}

function checkFinite(search: Search, value: number): void {
  if (Number.isFinite(value)) return;
  report(search, "number.range", `is ${value} where a finite number is expected`);
}

function checkTimestamp(search: Search, { seconds, nanos }: Readonly<Record<string, unknown>>): void {
  const [whole, part] = [bigintOf(seconds), Number(nanos)];
  if (whole >= EARLIEST_SECOND && whole <= LATEST_SECOND && part >= 0 && part < NANOS) return;
  report(search, "timestamp.range", "is no time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z");
}

function checkDuration(search: Search, { seconds, nanos }: Readonly<Record<string, unknown>>): void {
  const [whole, part] = [bigintOf(seconds), Number(nanos)];
  const bounded = whole >= -LONGEST_SECONDS && whole <= LONGEST_SECONDS && Math.abs(part) < NANOS;
  const oneSign = whole === 0n || part === 0 || whole > 0n === part > 0;
  if (bounded && oneSign) return;
  report(search, "duration.range", "is no duration within ±315576000000s, of one sign throughout");
}

function report({ faults, path }: Search, rule: string, fault: string): void {
  if (faults.length < MOST_VIOLATIONS) faults.push({ field: formatFieldPath(path), rule, message: fault });
}

const membersOf = perDescriptor(({ fields }: DescMessage): Member[] =>
  fields.flatMap((field) => {
    const kind = kindOf(field);
    return kind === undefined
      ? []
      : { field, kind, numbers: new Set(field.enum?.values.map(({ number }) => number)) };
  }),
);

function kindOf(field: DescField): Member["kind"] | undefined {
  if (field.enum !== undefined) return "enum";
  if (isStringField(field)) return "text";
  if (field.message === undefined) return field.fieldKind === "map" ? "key" : undefined;
  return field.message.typeName === STRUCT && field.parent.typeName !== VALUE ? "json" : "message";
}

function heldIn(holder: Readonly<Record<string, unknown>>, field: DescField): unknown {
  if (field.oneof === undefined) return holder[field.localName];
  const chosen = recordOf(holder[field.oneof.localName]);
  return chosen.case === field.localName ? chosen.value : undefined;
}

/** Messages, maps and oneofs are objects; a descriptor names members that their types do not let one look up. */
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The generated code holds 64 bits as a bigint, or as a string where a field asks for one. */
const bigintOf = (value: unknown): bigint => (typeof value === "bigint" ? value : BigInt(String(value)));
