import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allMessages } from "../../test/messages.ts";
import { AgentHeartbeatSchema, AgentResultSchema, ContractSchema } from "../index.ts";
import { findJsonFaults } from "./find-json-faults.ts";
import { findMessageFaults } from "./find-message-faults.ts";
import { isPlainMapping } from "./is-plain-mapping.ts";
import { parseJson } from "./parse-json.ts";

const vectors = join(import.meta.dirname, "../../vectors");
const samples = globSync("*/full.json", { cwd: vectors }).map((path) => ({
  schema: allMessages.find(({ name }) => name === basename(dirname(path))),
  json: parseJson(readFileSync(join(vectors, path), "utf8")),
}));

/** Taken for plain, and yet at fault: then nobody would have looked. */
function isMistaken(schema: DescMessage, value: unknown): boolean {
  const json = parsed(value);
  if (json === undefined || !isPlainMapping(schema, json)) return false;
  const faults = findJsonFaults(schema, json, { refuseUnknownFields: true });
  return faults.length > 0 || findMessageFaults(schema, fromJson(schema, json)).length > 0;
}

/** What the scan of the bytes refuses never comes so far. */
function parsed(value: unknown): JsonValue | undefined {
  try {
    return parseJson(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

describe("what is plain is not looked at again, so that", () => {
  test("the sample of every message is plain, or this would spare nothing", () => {
    const others = samples.filter(
      ({ schema, json }) => schema === undefined || !isPlainMapping(schema, json),
    );
    expect(samples.length).toBeGreaterThan(20);
    expect(others.map(({ schema }) => schema?.name)).toEqual([]);
  });

  test("nothing at fault may be, whatever the names and values", () => {
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom("5s", "1.5s", "0000-01-01T00:00:00Z", "2026-02-24T09:30:00Z", "\0", -0, 2 ** 31, 1e39),
    );
    const shaped = fc.constantFrom(...allMessages).chain((schema) => {
      const names = schema.fields.flatMap((field) => [field.name, field.jsonName]);
      const name = names.length > 0 ? fc.constantFrom(...names) : fc.string();
      return fc.tuple(fc.constant(schema), fc.dictionary(name, values, { maxKeys: 4 }));
    });
    fc.assert(
      fc.property(shaped, ([schema, value]) => {
        expect(isMistaken(schema, value)).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test("nor a sample of which one value is another", () => {
    const places = samples.flatMap(({ schema, json }) =>
      schema === undefined ? [] : placesIn(json).map((path) => ({ schema, json, path })),
    );
    const others = fc.oneof(
      fc.constantFrom<JsonValue>(
        null,
        [],
        {},
        [null],
        "",
        "\0",
        -1,
        0.5,
        1e10,
        4_000_000_000,
        true,
        "999999999999s",
      ),
      fc.jsonValue({ maxDepth: 1 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), others, ({ schema, json, path }, other) => {
        expect(isMistaken(schema, replaced(json, path, other))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  test.each<[string, DescMessage, JsonValue]>([
    ["an unknown field", AgentHeartbeatSchema, { packId: "a", other: 1 }],
    ["a field spelled two ways", AgentHeartbeatSchema, { packId: "a", pack_id: "a" }],
    ["two of a oneof", AgentResultSchema, { evidence: { items: { items: [] }, noneWithReason: "none" } }],
    ["null", AgentHeartbeatSchema, { packId: null }],
    ["null in a list", ContractSchema, { acceptanceCriteria: [null] }],
    ["an enum's name that is none", AgentHeartbeatSchema, { health: { status: "FINE" } }],
    ["an enum's number that is none", AgentHeartbeatSchema, { health: { status: 99 } }],
    ["a number that is no integer", AgentHeartbeatSchema, { capacity: { maxTasks: 0.5 } }],
    ["an integer beyond 32 bits", AgentHeartbeatSchema, { capacity: { maxTasks: 2 ** 31 } }],
    ["a time that no calendar has", AgentHeartbeatSchema, { heartbeatAt: "2026-02-30T00:00:00Z" }],
    ["a duration beyond its range", AgentHeartbeatSchema, { leaseTtl: "999999999999s" }],
    ["a list in a message's place", AgentHeartbeatSchema, { health: [] }],
    ["no object at all", AgentHeartbeatSchema, "text"],
  ])("%s is left to those who look closely", (_, schema, json) => {
    expect(isPlainMapping(schema, json)).toBe(false);
  });
});

type Path = readonly (string | number)[];

function placesIn(json: JsonValue, path: Path = []): Path[] {
  if (typeof json !== "object" || json === null) return [path];
  const within = Array.isArray(json)
    ? json.flatMap((value, index) => placesIn(value, [...path, index]))
    : Object.entries(json).flatMap(([name, value]) => placesIn(value, [...path, name]));
  return [path, ...within];
}

function replaced(json: JsonValue, path: Path, other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof json !== "object" || json === null) return other;
  if (Array.isArray(json))
    return json.map((value, index) => (index === step ? replaced(value, rest, other) : value));
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, name === step ? replaced(value, rest, other) : value]),
  );
}
