import fc from "fast-check";
import { expect, test } from "vitest";
import { timeTaken } from "./time-taken.ts";

test.each([
  [0, "0 ms"],
  [0.4, "0 ms"],
  [999, "999 ms"],
  [999.7, "1.0 s"],
  [2_449, "2.4 s"],
  [9_949, "9.9 s"],
  [9_950, "10 s"],
  [59_600, "1 min"],
  [63_000, "1 min 3 s"],
  [3_600_000, "1 h"],
  [7_505_000, "2 h 5 min"],
  [-1, "unknown"],
  [Number.NaN, "unknown"],
])("%d ms are %s", (ms, words) => {
  expect(timeTaken(ms)).toBe(words);
});

test("no duration reads as sixty of a smaller unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (ms) => {
      expect(timeTaken(ms)).not.toMatch(/\b(1000 ms|60 s|60 min)\b/);
    }),
  );
});
