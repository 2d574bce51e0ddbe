import { expect, test } from "vitest";
import { forHowLong, monthInWords } from "./retention-words.ts";

test.each([
  [null, "for ever"],
  [12, "for a year"],
  [84, "for 7 years"],
  [30, "for 30 months"],
])("%s months are %s", (months, words) => {
  expect(forHowLong(months)).toBe(words);
});

test("a month is called as people call it, wherever they are", () => {
  expect(monthInWords("2025-03")).toBe("March 2025");
  expect(monthInWords("2024-12")).toBe("December 2024");
});
