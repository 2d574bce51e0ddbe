import { expect, test } from "vitest";
import { z } from "zod";
import { outcomeOf, refusalOf } from "../../test/outcome.ts";
import { checkShape } from "./zod-violations.ts";

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
      { field: "id", rule: "invalid_format.uuid", message: "Invalid UUID" },
      { field: "level", rule: "invalid_value", message: 'Invalid option: expected one of "low"|"high"' },
      { field: 'pressure["two words"]', rule: "too_big", message: "Too big: expected number to be <=100" },
      { field: "steps[1].count", rule: "too_small", message: "Too small: expected number to be >=0" },
    ],
  });
});

test("a fault of the whole has the empty path", () => {
  expect(refusalOf(() => checkShape(schema, "text"))).toEqual(["VALIDATION_FAILED", ": invalid_type"]);
});
