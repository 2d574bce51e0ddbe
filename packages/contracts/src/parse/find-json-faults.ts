import type { DescEnum, DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { formatFieldPath, quoteBriefly } from "../errors/field-path.ts";
import { MOST_VIOLATIONS, type Violation } from "../errors/signalbox-error.ts";
import { allowedNames, perDescriptor, VALUE } from "./descriptors.ts";
import { describeJson, expectedOfScalar, expectedOfWellKnown, isObject } from "./json-mapping.ts";

/**
 * Where a JSON value is not the JSON mapping of a message: every place at once. protobuf-es stops at the first, names
 * no path, and where it passes over unknown fields it passes over unknown enum names too.
 */
export function findJsonFaults(
  schema: DescMessage,
  json: JsonValue,
  options: { readonly refuseUnknownFields: boolean },
): Violation[] {
  const faults: Violation[] = [];
  const path: (string | number)[] = [];
  checkMessage(schema, json);
  return faults;

  function checkMessage(desc: DescMessage, value: JsonValue): void {
    if (desc.typeName.startsWith("google.protobuf.")) {
      reportUnlessUndefined("type", expectedOfWellKnown(desc, value), value);
    } else if (isObject(value)) checkMembers(desc, value);
    else reportUnlessUndefined("type", "an object", value);
  }

  function checkMembers(desc: DescMessage, value: { readonly [name: string]: JsonValue }): void {
    // A field may be spelled two ways and a oneof is one slot: who filled it first?
    const filled = new Map<string, string>();
    for (const [name, member] of Object.entries(value)) {
      const field = fieldsByName(desc).get(name);
      path.push(field?.name ?? name);
      if (field !== undefined) {
        // protobuf-es passes over null only where a oneof's member is a scalar.
        const empty = member === null && field.fieldKind === "scalar";
        const slot = empty ? field.name : (field.oneof?.name ?? field.name);
        const first = filled.get(slot);
        if (first === undefined) filled.set(slot, name);
        else report("oneof", `cannot be given together with ${quoteBriefly(first)}`);
        if (member !== null || field.message?.typeName === VALUE) checkField(field, member);
      } else if (options.refuseUnknownFields) report("field.unknown", `is not a field of ${desc.name}`);
      path.pop();
    }
  }

  function checkField(field: DescField, value: JsonValue): void {
    const isList = field.fieldKind === "list";
    if (!isList && field.fieldKind !== "map") return checkElement(field, value);
    if (isList ? !Array.isArray(value) : !isObject(value)) {
      return reportUnlessUndefined("type", isList ? "a list" : "an object", value);
    }
    for (const [key, element] of Object.entries(value ?? {})) {
      path.push(isList ? Number(key) : key);
      checkElement(field, element);
      path.pop();
    }
  }

  function checkElement(field: DescField, value: JsonValue): void {
    if (field.message !== undefined) checkMessage(field.message, value);
    else if (field.enum !== undefined) checkEnum(field.enum, value);
    else reportUnlessUndefined("type", expectedOfScalar(field.scalar, value), value);
  }

  function checkEnum(desc: DescEnum, value: JsonValue): void {
    if (desc.values.some(({ name, number }) => value === name || value === number)) return;
    reportUnlessUndefined("enum.defined_only", `one of ${allowedNames(desc)}`, value);
  }

  function reportUnlessUndefined(rule: string, expected: string | undefined, value: JsonValue): void {
    if (expected !== undefined) report(rule, `is ${describeJson(value)} where ${expected} is expected`);
  }

  function report(rule: string, message: string): void {
    if (faults.length < MOST_VIOLATIONS) faults.push({ field: formatFieldPath(path), rule, message });
  }
}

const fieldsByName = perDescriptor(
  (desc: DescMessage) =>
    new Map(desc.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const])),
);
