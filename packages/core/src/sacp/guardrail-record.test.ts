import fc from "fast-check";
import { expect, test } from "vitest";
import { guardrailNamed, guardrailRecord } from "./guardrail-record.ts";

test("SACP-45 the rule that changed an answer is found again by its entry, whatever it is called", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("redact_message", "fail"), (name, effect) => {
      expect(guardrailNamed(guardrailRecord({ name, effect }).rationale)).toBe(name);
    }),
  );
  expect(guardrailNamed("The result fits its schema, its dispatch and its attempt")).toBeUndefined();
});
