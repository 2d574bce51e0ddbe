import fc from "fast-check";
import { expect, test } from "vitest";
import { compileOutputSchema } from "./output-schema.ts";
import { compileRedactor, redact } from "../redaction/redactor.ts";
import { findUnmeetable, maskedSchemaFaults, outputSchemaFaults } from "./unmeetable-schema.ts";

const placeOf = (schema: object): string | undefined => findUnmeetable(schema, ["object"])?.path.join(".");
const withMember = (member: unknown) => ({ properties: { a: member }, required: ["a"] });

test("SACP-52 what no object can meet is told by its place", () => {
  expect(placeOf({ type: "array" })).toBe("type");
  expect(placeOf({ type: ["string", "null"] })).toBe("type");
  expect(placeOf({ allOf: [{ type: "object" }, { type: "string" }] })).toBe("allOf.1.type");
  expect(placeOf({ anyOf: [{ type: "string" }, { type: "array" }] })).toBe("anyOf");
  expect(placeOf({ not: {} })).toBe("not");
  expect(placeOf({ const: "done" })).toBe("const");
  expect(placeOf({ enum: [1, "two", null] })).toBe("enum");
  expect(placeOf({ properties: { a: {} }, required: ["a", "b"], additionalProperties: false })).toBe(
    "required.1",
  );
  expect(placeOf({ required: ["a", "b"], maxProperties: 1 })).toBe("maxProperties");
  expect(placeOf({ properties: { a: {} }, additionalProperties: false, minProperties: 2 })).toBe(
    "minProperties",
  );
  expect(placeOf(withMember(false))).toBe("properties.a");
  expect(placeOf(withMember({ const: "x", enum: ["y", "z"] }))).toBe("properties.a.const");
  expect(placeOf(withMember({ type: "string", enum: [1, 2] }))).toBe("properties.a.enum");
  expect(placeOf(withMember({ type: "number", minimum: 2, maximum: 1 }))).toBe("properties.a");
  expect(placeOf(withMember({ type: "string", minLength: 2, maxLength: 1 }))).toBe("properties.a.minLength");
  expect(placeOf(withMember({ type: "array", items: false, minItems: 1 }))).toBe("properties.a.items");
  expect(outputSchemaFaults({ type: "array" })).toEqual([
    { path: ["type"], message: 'is "array", but it is always object' },
  ]);
});

test("SACP-52 what can be met is left alone, also where only one way is open", () => {
  const open = [
    {},
    { type: ["array", "object"] },
    { properties: { a: false } },
    { required: ["a"], additionalProperties: { type: "string" } },
    { required: ["a1"], patternProperties: { "^a": {} }, additionalProperties: false },
    { anyOf: [{ type: "string" }, { required: ["a"] }] },
    withMember({ minimum: 2, maximum: 1 }),
    withMember({ const: { x: 1, y: 2 }, enum: [{ y: 2, x: 1 }] }),
    withMember({ type: "array", items: false }),
    withMember({ type: "array", contains: false, minContains: 0 }),
  ];
  for (const schema of open) expect(findUnmeetable(schema, ["object"])).toBeUndefined();
});

const leaf = fc.oneof(
  fc.constant({}),
  fc.constant(false),
  fc.record({ type: fc.constantFrom("string", "number", "integer", "array", "object", "null", "boolean") }),
  fc.record({ const: fc.constantFrom<unknown>(1, "a", null, true) }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom<unknown>(0, 1, "a", "b", null), { minLength: 1 }) }),
  fc.record({
    type: fc.constant("number"),
    minimum: fc.integer({ min: 0, max: 2 }),
    exclusiveMaximum: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({ minLength: fc.nat(2), maxLength: fc.nat(2), type: fc.constant("string") }),
  fc.record({
    type: fc.constant("array"),
    minItems: fc.nat(1),
    items: fc.constantFrom<unknown>(false, {}, { type: "null" }),
  }),
);
const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      properties: fc.record({ a: tie("schema"), b: tie("schema") }),
      required: fc.subarray(["a", "b", "c"]),
      additionalProperties: fc.boolean(),
      minProperties: fc.nat(3),
    }),
  ),
}));
const anyLeaf = fc.constantFrom<unknown>(0, 1, 2, "", "a", "ab", null, true, [], [null], {});
const anyData = fc.oneof(
  fc.dictionary(
    fc.constantFrom("a", "b", "c"),
    fc.oneof(anyLeaf, fc.dictionary(fc.constantFrom("a", "b", "c"), anyLeaf)),
  ),
);

test("SACP-52 what is told is so: of a schema that is refused no object is let through", () => {
  fc.assert(
    fc.property(
      fc.record({ allOf: fc.tuple(anySchema) }),
      fc.array(anyData, { maxLength: 30 }),
      (schema, data) => {
        if (findUnmeetable(schema, ["object"]) === undefined) return;
        const found = compileOutputSchema(schema as Parameters<typeof compileOutputSchema>[0]);
        if (found.kind === "faulty") return;
        for (const one of data) expect(found.check(one)).not.toBeNull();
      },
    ),
    { numRuns: 1_500 },
  );
});

test("SACP-53 a schema that is none once it is masked is told by the members that were", () => {
  const schema = { type: "object", properties: { token: { type: "string" }, n: { type: "number" } } };
  const { value, marks } = redact(compileRedactor(), { outputSchema: schema, note: { password: "x" } });
  const outputSchema: typeof schema = Reflect.get(Object(value), "outputSchema");
  expect(maskedSchemaFaults(outputSchema, marks, "outputSchema")).toEqual([
    {
      field: "outputSchema.properties.token",
      rule: "masked",
      message: expect.stringContaining("call it otherwise"),
    },
  ]);
  expect(maskedSchemaFaults(schema, marks, "outputSchema")).toEqual([]);
});
