import { expect, test } from "vitest";
import { missingIn } from "./missing-in.ts";

test("what is empty, or white space alone, is missing; what is said is not", () => {
  const required = {
    name: { value: " \t", says: "The name is missing." },
    email: { value: "", says: "The address is missing." },
    label: { value: "x", says: "never told" },
  };
  expect(missingIn(required)).toEqual({ name: "The name is missing.", email: "The address is missing." });
  expect(missingIn({})).toEqual({});
});
