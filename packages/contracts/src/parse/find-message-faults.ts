import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { formatFieldPath } from "../errors/field-path.ts";
import type { Violation } from "../errors/signalbox-error.ts";
import { allowedNames, isStringField, perDescriptor, STRUCT, VALUE } from "./descriptors.ts";

const EARLIEST_SECOND = -62_135_596_800n; // 0001-01-01T00:00:00Z
const LATEST_SECOND = 253_402_300_799n; // 9999-12-31T23:59:59Z
const LONGEST_SECONDS = 315_576_000_000n; // google/protobuf/duration.proto
const NANOS = 1_000_000_000;

/**
 * What a decoded message may hold and no message from outside may: enum numbers that the contract does not define
 * (proto3 enums are open, and few carry a rule), text that PostgreSQL cannot store, and times, durations and Structs
 * that have no JSON mapping, which would fail only later, when the message is written.
 */
export function findMessageFaults(schema: DescMessage, message: object): Violation[] {
  const faults: Violation[] = [];
  const path: (string | number)[] = [];
  checkMessage(schema, message);
  return faults;

  function checkMessage(desc: DescMessage, value: unknown): void {
    const members = membersOf(value);
    if (desc.typeName === "google.protobuf.Timestamp") return checkTimestamp(members);
    if (desc.typeName === "google.protobuf.Duration") return checkDuration(members);
    if (desc.typeName === VALUE) checkValue(members);
    for (const field of fallibleFields(desc)) {
      const member = field.oneof === undefined ? members[field.localName] : chosen(members, field);
      if (member === undefined) continue;
      path.push(field.name);
      checkField(field, member);
      path.pop();
    }
  }

  function checkField(field: DescField, value: unknown): void {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) within(index, field, element);
    } else if (field.fieldKind === "map") {
      for (const [key, element] of Object.entries(membersOf(value))) within(key, field, element);
    } else checkElement(field, value);
  }

  function within(step: string | number, field: DescField, element: unknown): void {
    path.push(step);
    if (typeof step === "string") checkKey(step);
    checkElement(field, element);
    path.pop();
  }

  function checkElement(field: DescField, value: unknown): void {
    if (field.enum !== undefined) checkEnum(field.enum, value);
    else if (typeof value === "string") checkText(value);
    else if (field.message?.typeName === STRUCT && field.parent.typeName !== VALUE) checkJson(value);
    else if (field.message !== undefined) checkMessage(field.message, value);
  }

  function checkEnum(desc: DescEnum, value: unknown): void {
    if (desc.values.some(({ number }) => number === value)) return;
    report("enum.defined_only", `is ${String(value)} where one of ${allowedNames(desc)} is expected`);
  }

  function checkText(text: string): void {
    if (text.includes("\0")) report("text.nul", "holds U+0000, which cannot be stored; leave it out");
  }

  function checkKey(key: string): void {
    checkText(key);
    if (key === "__proto__") report("json.name", "is a name that is not allowed");
  }

  /** A Struct in a field is held as the JSON it stands for. */
  function checkJson(value: unknown): void {
    if (typeof value === "string") return checkText(value);
    if (typeof value === "number") return checkFinite(value);
    if (typeof value !== "object" || value === null) return;
    const isList = Array.isArray(value);
    for (const [key, element] of Object.entries(value)) {
      path.push(isList ? Number(key) : key);
      checkKey(key);
      checkJson(element);
      path.pop();
    }
  }

  function checkValue({ kind }: Readonly<Record<string, unknown>>): void {
    const { case: name, value } = membersOf(kind);
    if (name === undefined)
      report("type", "is a google.protobuf.Value without a value; send null_value for null");
    if (typeof value === "number") checkFinite(value);
  }

  function checkFinite(value: number): void {
    if (!Number.isFinite(value)) report("number.range", `is ${value} where a finite number is expected`);
  }

  function checkTimestamp({ seconds, nanos }: Readonly<Record<string, unknown>>): void {
    const [whole, part] = [BigInt(String(seconds)), Number(nanos)];
    if (whole >= EARLIEST_SECOND && whole <= LATEST_SECOND && part >= 0 && part < NANOS) return;
    report("timestamp.range", "is no time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z");
  }

  function checkDuration({ seconds, nanos }: Readonly<Record<string, unknown>>): void {
    const [whole, part] = [BigInt(String(seconds)), Number(nanos)];
    const bounded = whole >= -LONGEST_SECONDS && whole <= LONGEST_SECONDS && Math.abs(part) < NANOS;
    const oneSign = whole === 0n || part === 0 || whole > 0n === part > 0;
    if (!bounded || !oneSign)
      report("duration.range", "is no duration within ±315576000000s, of one sign throughout");
  }

  function report(rule: string, fault: string): void {
    faults.push({ field: formatFieldPath(path), rule, message: fault });
  }
}

/** Numbers, flags and bytes are right whatever they hold. */
const fallibleFields = perDescriptor(({ fields }) =>
  fields.filter(
    (field) =>
      field.enum !== undefined ||
      field.message !== undefined ||
      isStringField(field) ||
      field.fieldKind === "map",
  ),
);

function chosen(members: Readonly<Record<string, unknown>>, field: DescField): unknown {
  const oneof = membersOf(members[field.oneof?.localName ?? ""]);
  return oneof.case === field.localName ? oneof.value : undefined;
}

/** Messages, maps and oneofs are objects; a descriptor names members that their types do not let one look up. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
