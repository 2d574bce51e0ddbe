import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compileOutputSchema } from "./output-schema.ts";

const told = (schema: Parameters<typeof compileOutputSchema>[0]) => {
  const found = compileOutputSchema(schema);
  return found.kind === "faulty" ? found.faults.map(({ path, message }) => [path.join("."), message]) : [];
};
const check = (schema: Parameters<typeof compileOutputSchema>[0], data: unknown) => {
  const found = compileOutputSchema(schema);
  if (found.kind === "faulty") throw new Error(JSON.stringify(found.faults));
  return found.check(data);
};

test("SACP-50 data is held against the schema", () => {
  const schema = {
    type: "object",
    properties: { level: { enum: ["low", "high"] }, id: { type: "string", pattern: "^[a-z]+$" } },
  };
  expect(check(schema, { level: "low", id: "abc" })).toBeNull();
  expect(check(schema, { level: "mid" })).toBe(
    'data/level must be equal to one of the allowed values: ["low","high"]',
  );
  expect(check(schema, { id: "A1" })).toBe('data/id must match pattern "^[a-z]+$"');
});

test("SACP-50 a pattern takes linear time, whatever it is", () => {
  expect(
    check(
      { properties: { a: { type: "string", pattern: "^(a+)+$" } }, type: "object" },
      { a: `${"a".repeat(50_000)}!` },
    ),
  ).not.toBeNull();
});

test("SACP-50 what no schema is, or costs without measure, is refused by its place", () => {
  expect(told({ type: "objekt" })[0]?.[0]).toBe("type");
  expect(told({ properties: { a: { $ref: "#" } } })).toEqual([
    ["properties.a.$ref", '"$ref" is not offered: write out what it refers to'],
  ]);
  expect(told({ properties: { a: { type: "array", uniqueItems: true } } })).toEqual([
    ["properties.a.uniqueItems", '"uniqueItems" is not offered: it compares every element with every other'],
  ]);
  expect(told({ type: "object", propertees: {} })[0]?.[1]).toContain('unknown keyword: "propertees"');
  expect(told({ type: "string", pattern: "(" })).toHaveLength(1);
  expect(told({ description: "x".repeat(40_000) })[0]?.[1]).toContain("at most 32768 are allowed");
  expect(
    told({ type: "object", properties: { $ref: { type: "string" }, uniqueItems: { type: "boolean" } } }),
  ).toEqual([]);
  expect(told({ const: { $ref: "x" } })).toEqual([]);
});

test("SACP-50 a schema may say that it is of draft 2020-12, and of no other", () => {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const properties = { n: { type: "integer" } };
  expect(check({ $schema, properties, type: "object" }, { n: 1 })).toBeNull();
  expect(check({ $schema: `${$schema}#`, properties, type: "object" }, { n: "1" })).toContain("data/n");
  expect(told({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" })).toEqual([
    ["$schema", expect.stringContaining("draft 2020-12 is meant")],
  ]);
  expect(told({ properties: { n: { $schema, type: "integer" } } })[0]?.[0]).toBe("properties.n.$schema");
});

const compileMany = (from: number) => {
  for (let number = from; number < from + 1_000; number += 1)
    check({ properties: { a: { enum: [`value ${number}`] } }, type: "object" }, {});
};

test("SACP-50 schemas that were compiled and are nobody's any more are not held", () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const held = () => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed;
  };
  compileMany(0);
  const before = held();
  compileMany(1_000);
  compileMany(2_000);
  // Held, they would be four times that.
  expect(held() - before).toBeLessThan(2 << 20);
});
