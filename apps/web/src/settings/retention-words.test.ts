import { expect, test } from "vitest";
import { forHowLong, monthInWords, monthsIn } from "./retention-words.ts";

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

test("months are whole numbers from 12 to 1200; what is anything else is none", () => {
  expect(["12", " 1200 ", "84"].map(monthsIn)).toEqual([12, 1200, 84]);
  for (const typed of ["", "a year", "11", "1201", "12.5", "-12", "1e3", "0x20"])
    expect(monthsIn(typed)).toBeUndefined();
});
