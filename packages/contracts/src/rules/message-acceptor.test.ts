import { create, type DescMessage, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vectorJson, VECTORS, vectorSchema } from "../../test/vectors.ts";
import { ContextInSchema, findViolations, PipelineSchema, validator } from "../index.ts";
import { messageAcceptor } from "./message-acceptor.ts";

const STRINGS = [
  "",
  "x",
  "1.4.0",
  "^1.4.0",
  "1.04.0",
  "implement",
  "verify",
  "success",
  "0s",
  "-1s",
  "0.000000001s",
];
const NUMBERS = [-1, -0.5, 0, 0.5, 1, 2, 4, 61, 9999];

const full = VECTORS.filter(({ valid }) => valid).map((vector) => ({
  schema: vectorSchema(vector),
  json: vectorJson(vector),
}));

describe("the compiled rules", () => {
  test("judge whatever they are given as protovalidate does", () => {
    const changes = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
    let invalid = 0;
    fc.assert(
      fc.property(fc.constantFrom(...full), changes, ({ schema, json }, numbers) => {
        const message = read(schema, numbers.reduce(disturb, json));
        fc.pre(message !== undefined);
        const { kind } = validator.validate(schema, message);
        invalid += kind === "invalid" ? 1 : 0;
        expect(messageAcceptor(schema)?.(message) ?? true).toBe(kind === "valid");
      }),
      { numRuns: 2000, seed: 2 },
    );
    expect(invalid).toBeGreaterThan(300);
  });

  test.each([
    ["at the limit", "😀".repeat(32_768), []],
    ["one past it", "😀".repeat(32_769), ["string.max_len"]],
    ["past it in UTF-16 units alone", "😀".repeat(16_385), []],
    ["one past it without surrogates", "x".repeat(32_769), ["string.max_len"]],
  ])("count characters, not UTF-16 units: %s", (_case, sharedContext, expected) => {
    const message = create(ContextInSchema, { sharedContext });
    expect(findViolations(ContextInSchema, message).map(({ ruleId }) => ruleId)).toEqual(expected);
  });

  test("leave a message without rules alone", () => {
    expect(messageAcceptor(StructSchema)).toBeUndefined();
    expect(findViolations(StructSchema, create(StructSchema))).toEqual([]);
  });
});

describe("a pipeline's dependencies", () => {
  const trace = { traceId: "t", spanId: "s", tenantId: "tenant" };
  const rulesBroken = (stages: { stageId: string; stageOrder: number; after?: string[] }[]): string[] => {
    const pipeline = create(PipelineSchema, {
      pipelineId: "p",
      trace,
      stages: stages.map(({ stageId, stageOrder, after = [] }) => ({
        stageId,
        stageOrder,
        config: { dependsOnStages: after },
      })),
    });
    return findViolations(PipelineSchema, pipeline).map(({ ruleId }) => ruleId);
  };

  test("may form a diamond", () => {
    const diamond = [
      { stageId: "implement", stageOrder: 0 },
      { stageId: "security-review", stageOrder: 1, after: ["implement"] },
      { stageId: "review", stageOrder: 1, after: ["implement"] },
      { stageId: "verify", stageOrder: 2, after: ["security-review", "review"] },
    ];
    expect(rulesBroken(diamond)).toEqual([]);
    expect(rulesBroken(diamond.toReversed())).toEqual([]);
  });

  test.each([
    [0, 1, 2],
    [2, 1, 0],
    [1, 1, 1],
    [0, 0, 7],
  ])("form no circle, whatever the order: %i %i %i", (...orders) => {
    const circle = orders.map((stageOrder, i) => ({
      stageId: `s${i}`,
      stageOrder,
      after: [`s${(i + 2) % 3}`],
    }));
    expect(rulesBroken(circle)).toEqual(["pipeline.dependencies_acyclic"]);
  });

  test("do not lead back to the stage itself", () => {
    expect(rulesBroken([{ stageId: "a", stageOrder: 1, after: ["a"] }])).toEqual([
      "pipeline.dependencies_acyclic",
    ]);
  });
});

/** One change somewhere in a JSON value: a member left out, a list emptied or doubled, a scalar replaced. */
function disturb(json: JsonValue, number: number): JsonValue {
  if (typeof json === "string") return STRINGS[number % STRINGS.length] ?? "";
  if (typeof json === "number") return NUMBERS[number % NUMBERS.length] ?? 0;
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) {
    const [first] = json;
    if (first === undefined || number % 5 === 0) return [];
    return number % 5 === 1 ? [...json, first] : [disturb(first, Math.floor(number / 5)), ...json.slice(1)];
  }
  const entries = Object.entries(json);
  const chosen = number % Math.max(entries.length, 1);
  const rest = Math.floor(number / Math.max(entries.length, 1));
  return Object.fromEntries(
    entries.flatMap(([name, value], i) => {
      if (i !== chosen) return [[name, value]];
      return rest % 7 === 0 ? [] : [[name, disturb(value, Math.floor(rest / 7))]];
    }),
  );
}

/** The message, unless the change made it one that the mapping itself refuses. */
function read(schema: DescMessage, json: JsonValue): Message | undefined {
  try {
    return fromJson(schema, json);
  } catch {
    return undefined;
  }
}
