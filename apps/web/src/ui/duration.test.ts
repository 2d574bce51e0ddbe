import { expect, test } from "vitest";
import { durationInWords } from "./duration.ts";

test.each([
  [0, "less than a second"],
  [0.5, "less than a second"],
  [1, "1 second"],
  [1800, "30 minutes"],
  [5400, "1 hour 30 minutes"],
  [90_061, "1 day 1 hour 1 minute 1 second"],
])("%d seconds are %s", (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});
