import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, test } from "vitest";
import { readTypeRules } from "../src/rules/read-rules.ts";
import { contractFiles } from "./contract-files.ts";

const ADDITIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AgentHeartbeat: { available_tools: 11, pack_version: 12, endpoint: 13 },
  AgentResult: { dispatch_id: 15, attempt_number: 16, response: 17, lines_changed: 18 },
  AuditEntry: { changes: 23, pipeline_revision: 24 },
  AuditSnapshot: { pipeline: 5, dispatch_end: 6, agent_health: 7 },
  DispatchSnapshot: { refusal: 11 },
  EscalationSnapshot: { escalation_id: 8, cause: 9, on_timeout: 10, comment: 11 },
  InterfaceContract: { response_format: 9 },
  GateSnapshot: { stage_retries_left: 6, pipeline_retries_left: 7, rejections_left: 8 },
  ResultSnapshot: { consecutive_invalid_results: 16 },
  TaskEnvelope: { ref_freshness: 16, inputs: 17, response_format: 18, output_schema: 19 },
  StageConfig: {
    edges: 11,
    inputs: 12,
    response_format: 13,
    output_schema: 14,
    join: 15,
    confidence_watch: 16,
  },
};

const published = readFileSync(join(import.meta.dirname, "published-contract.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const owners = new Set(published.map((line) => line.split(" ", 1)[0] ?? ""));
const messages = contractFiles().flatMap((file) => file.messages);
const enums = contractFiles().flatMap((file) => file.enums);

describe.each([...owners])("%s", (owner) => {
  const ours = linesOf(owner);

  test("has every number, name, type, reservation and rule of the published listing", () => {
    const theirs = published.filter((line) => line.startsWith(`${owner} `));
    expect(theirs.filter((line) => !ours.includes(line))).toEqual([]);
  });

  test("D1: has nothing else but what was added outside the reserved ranges", () => {
    const known = new Set(published.map(identity));
    expect(ours.map(identity).filter((line) => !known.has(line) && !isAddition(line))).toEqual([]);
  });
});

/** Every line that could be published of an owner: a field stands once without a rule, and once with each. */
function linesOf(owner: string): string[] {
  const message = messages.find(({ name }) => name === owner);
  if (message) return messageLines(message);
  const enumeration = enums.find(({ name }) => name === owner);
  return enumeration ? enumLines(enumeration) : [];
}

function messageLines({ name, proto, fields }: DescMessage): string[] {
  return [
    ...fields.flatMap((field) => fieldLines(name, field)),
    ...proto.reservedRange.map(({ start, end }) => `${name} reserved ${start} to ${end - 1}`),
    ...proto.reservedName.map((reserved) => `${name} reserved ${reserved}`),
  ];
}

function enumLines({ name, proto, values }: DescEnum): string[] {
  return [
    ...values.map((value) => `${name} ${value.number} ${value.name}`),
    ...proto.reservedRange.map(({ start, end }) => `${name} reserved ${start} to ${end}`),
  ];
}

function fieldLines(owner: string, field: DescField): string[] {
  const repeated = field.fieldKind === "list" ? "repeated " : "";
  const oneof = field.oneof ? ` oneof ${field.oneof.name}` : "";
  const line = `${owner} ${field.number} ${field.name} ${repeated}${typeName(field)}${oneof}`;
  const rules = getOption(field, fieldRules);
  return [
    line,
    ...(rules.required ? [`${line} required=true`] : []),
    ...readTypeRules(rules).map(({ name, value }) => `${line} ${name}=${String(value)}`),
  ];
}

function typeName({ message, enum: enumeration, scalar }: DescField): string {
  const named = (message ?? enumeration)?.typeName.replace("vasini.agent.v1.", "");
  return named ?? ScalarType[scalar ?? 0]?.toLowerCase() ?? "";
}

function identity(line: string): string {
  return line.split(" ").slice(0, 3).join(" ");
}

function isAddition(line: string): boolean {
  const [owner = "", number = "", name = ""] = line.split(" ");
  if (owner === "AuditEventType") return Number(number) > 100;
  return ADDITIONS[owner]?.[name] === Number(number);
}
