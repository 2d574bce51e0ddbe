import { expect, test } from "vitest";
import { offersOf, whoIs } from "./who.ts";

const known = [
  { id: "m-1", name: "Ada Admin" },
  { id: "key/bootstrap/1", name: "key bootstrap" },
  { id: "m-2", name: "Bo" },
  { id: "m-3", name: "bo" },
];

test.each([
  ["Ada Admin", "m-1"],
  [" ada admin ", "m-1"],
  ["m-1", "m-1"],
  ["key bootstrap", "key/bootstrap/1"],
  ["bootstrap", "key/bootstrap/1"],
  ["Bo (m-2)", "m-2"],
  ["bo (m-3)", "m-3"],
  [" orchestrator", "orchestrator"],
  ["", ""],
])("by %j %s is meant", (text, id) => {
  expect(whoIs(text, known)).toBe(id);
});

test("of two who are called the same none is guessed, and both are offered with their ids", () => {
  expect(whoIs("Bo", known)).toEqual({ fault: "2 are called that. Choose one of those offered." });
  expect(offersOf(known).map(({ says }) => says)).toEqual([
    "Ada Admin",
    "key bootstrap",
    "Bo (m-2)",
    "bo (m-3)",
  ]);
});
