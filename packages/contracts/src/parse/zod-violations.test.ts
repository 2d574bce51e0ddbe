import { expect, test } from "vitest";
import { z } from "zod";
import { outcomeOf, refusalOf } from "../../test/outcome.ts";
import { checkShape, readShape, violationsFromZod } from "./zod-violations.ts";

const schema = z.looseObject({
  id: z.uuid(),
  level: z.enum(["low", "high"]),
  pressure: z.record(z.string(), z.number().max(100)),
  steps: z.array(z.looseObject({ count: z.int().min(0) })),
});
const value = {
  id: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  level: "low",
  pressure: { "two words": 5 },
  steps: [{ count: 0 }],
  other: true,
};

test("gives back a value of the shape, with what the schema does not know", () => {
  expect(checkShape(schema, value)).toEqual(value);
});

test("tells every fault in the form that proto messages have, with what is allowed", () => {
  const broken = {
    ...value,
    id: "x",
    level: "mid",
    pressure: { "two words": 101 },
    steps: [{ count: 0 }, { count: -1 }],
  };
  expect(outcomeOf(() => checkShape(schema, broken))).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [
      { field: "id", rule: "invalid_format.uuid", message: "must be a UUID" },
      { field: "level", rule: "invalid_value", message: 'must be one of "low", "high"' },
      { field: 'pressure["two words"]', rule: "too_big", message: "must be at most 100" },
      { field: "steps[1].count", rule: "too_small", message: "must be at least 0" },
    ],
  });
});

test("a fault of the whole has the empty path", () => {
  expect(refusalOf(() => checkShape(schema, "text"))).toEqual(["VALIDATION_FAILED", ": invalid_type"]);
});

test("says what is wrong and what is allowed, and leaves a schema's own words as they are", () => {
  const strict = z.strictObject({
    token: z.string().min(1),
    tools: z.array(z.string()).max(1),
    count: z.int(),
    comment: z.string().refine((text) => text !== "no", "says why"),
  });
  const said = (sent: unknown) =>
    violationsFromZod(readShape(strict, sent).error ?? new z.ZodError([])).map(
      ({ field, message }) => `${field} ${message}`,
    );
  expect(said({ token: 5, tools: ["a", "b"], count: 1.5, comment: "no", what: 1 })).toEqual([
    "token is a number; it must be a text",
    "tools must have at most 1 item",
    "count is no whole number; it must be a whole number",
    "comment says why",
    "what there is no such field here",
  ]);
  expect(said({ token: "", tools: {}, count: null })).toEqual([
    "token must have at least 1 character",
    "tools is an object; it must be a list",
    "count is null; it must be a number",
    "comment is needed: a text",
  ]);
});
