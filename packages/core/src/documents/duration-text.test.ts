import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration, printDuration } from "./duration-text.ts";

test.each([
  ["5m", 300_000],
  ["60s", 60_000],
  ["1h30m", 5_400_000],
  ["500ms", 500],
  ["1m500ms", 60_500],
  ["2d", 172_800_000],
  ["0s", 0],
  ["1.5s", 1500],
  ["300s", 300_000],
])("DOC-12: %s is %d milliseconds", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  "5 minutes",
  "5",
  "",
  " 5m",
  "5m ",
  "m",
  "-5m",
  "+5m",
  "1.5m",
  "5M",
  "30m1h",
  "5m5m",
  "1e3s",
  "1.2345s",
  "٥m",
  "5m\n",
  "1h-5m",
  "9999999999s",
  "Infinity",
  "P1D",
])("DOC-12: %j is not a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("DOC-12: every duration is printed as a text that reads back as the same", () => {
  fc.assert(
    fc.property(fc.nat({ max: 366 * 86_400_000 }), (milliseconds) => {
      expect(parseDuration(printDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});
