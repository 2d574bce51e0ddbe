import { expect, test } from "vitest";
import { nextRow } from "./row-keys.ts";

test.each([
  ["j", -1, 3, 0],
  ["k", -1, 3, 0],
  ["j", 0, 3, 1],
  ["j", 2, 3, undefined],
  ["k", 2, 3, 1],
  ["k", 0, 3, undefined],
  ["j", -1, 0, undefined],
  ["x", 0, 3, undefined],
])("%s from row %d of %d leads to %s", (key, current, count, expected) => {
  expect(nextRow(key, current, count)).toBe(expected);
});
