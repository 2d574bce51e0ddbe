import { type DescField, type DescMessage, fromBinary, getOption } from "@bufbuild/protobuf";
import { isReflectMessage, type Path, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, test } from "vitest";
import { CONTRACT_MESSAGES, findViolations } from "../src/index.ts";
import { readTypeRules } from "../src/rules/read-rules.ts";
import { contractFiles } from "./contract-files.ts";
import { vectorBinary, VECTORS, vectorSchema } from "./vectors.ts";

const MESSAGES = reachable(CONTRACT_MESSAGES);

test("every message of the contract is one that travels, or within one", () => {
  const declared = contractFiles().flatMap(({ messages }) => messages);
  expect(declared.filter((message) => !MESSAGES.includes(message)).map(String)).toEqual([]);
});

test("every message that travels has a minimal and a full vector, and an invalid one where it has rules", () => {
  for (const schema of CONTRACT_MESSAGES) {
    const own = VECTORS.filter(({ message }) => message === schema.typeName);
    const hasRules = reachable([schema]).some((message) => rulesOf(message).length > 0);
    expect(own.map((vector) => vector.case)).toEqual(expect.arrayContaining(["minimal", "full"]));
    expect([schema.name, own.some(({ valid }) => !valid)]).toEqual([schema.name, hasRules]);
  }
});

test("every rule of the contract is broken by a vector", () => {
  const broken = new Set(
    VECTORS.filter(({ valid }) => !valid).flatMap((vector) => {
      const schema = vectorSchema(vector);
      const violations = findViolations(schema, fromBinary(schema, vectorBinary(vector)));
      return violations.map(({ field, rule, ruleId }) => brokenRule(schema, field, rule, ruleId));
    }),
  );
  const rules = MESSAGES.flatMap(rulesOf);
  expect(rules.length).toBeGreaterThan(100);
  expect(rules.filter((rule) => !broken.has(rule))).toEqual([]);
});

test("every field, and every member of every oneof, is set by a full vector", () => {
  const set = new Set<DescField>();
  for (const vector of VECTORS.filter((candidate) => candidate.case.startsWith("full"))) {
    const schema = vectorSchema(vector);
    collectSet(reflect(schema, fromBinary(schema, vectorBinary(vector))), set);
  }
  const fields = MESSAGES.flatMap((message) => message.fields);
  expect(fields.filter((field) => !set.has(field)).map(String)).toEqual([]);
});

/** The contract's messages within some others, and those others. */
function reachable(roots: readonly DescMessage[]): DescMessage[] {
  const found = new Set(roots);
  for (const message of found) {
    for (const { message: nested } of message.fields) {
      if (nested?.typeName.startsWith("vasini.") === true) found.add(nested);
    }
  }
  return [...found];
}

/** A rule as "message field rule", the last as protovalidate's path to it. */
function rulesOf(message: DescMessage): string[] {
  return [
    ...getOption(message, messageRules).cel.map(({ id }) => `${message.name} ${id}`),
    ...message.oneofs
      .filter((oneof) => getOption(oneof, oneofRules).required)
      .map((oneof) => `${message.name} ${oneof.name} required`),
    ...message.fields.flatMap((field) =>
      fieldRuleNames(field).map((rule) => `${message.name} ${field.name} ${rule}`),
    ),
  ];
}

function fieldRuleNames(field: DescField): string[] {
  const rules = getOption(field, fieldRules);
  const items = rules.type.case === "repeated" ? rules.type.value.items : undefined;
  const own = readTypeRules(rules).map(({ name }) => name);
  return [
    ...(rules.required ? ["required"] : []),
    // A range is one rule to protovalidate, named by its lower end.
    ...own.filter((name) => name !== "repeated.items" && !(name.endsWith(".lte") && own.length > 1)),
    ...readTypeRules(items).map(({ name }) => `repeated.items.${name}`),
  ];
}

function brokenRule(schema: DescMessage, field: Path, rule: Path, ruleId: string): string {
  const steps = field.filter((step) => step.kind === "field" || step.kind === "oneof");
  const last = steps.at(-1);
  if (rule.length === 0 && ruleId !== "required") {
    const inner = last?.kind === "field" ? last.message : schema;
    return `${inner?.name} ${ruleId}`;
  }
  // A predefined rule is an extension, and each of the contract's is a pattern.
  const name = rule.map((step) => (step.kind === "field" ? step.name : "pattern")).join(".");
  return `${last?.parent.name} ${last?.name} ${name === "" ? "required" : name}`;
}

function collectSet(message: ReflectMessage, set: Set<DescField>): void {
  for (const field of message.fields.filter((candidate) => message.isSet(candidate))) {
    set.add(field);
    const value: unknown = message.get(field);
    const nested = field.fieldKind === "list" ? [...message.get(field)] : [value];
    nested.filter((item) => isReflectMessage(item)).forEach((item) => collectSet(item, set));
  }
}
