import { expect, test } from "vitest";
import { isUnwelcome, peakInWords, spanInWords, totalInWords } from "./activity-words.ts";

const of = (measure: "gatesFailed" | "pipelinesBegun", total: number) =>
  isUnwelcome({ measure, total, counts: [total], isLeast: false });
const from = new Date(2026, 2, 8, 9, 0).getTime();
const minutes = (count: number) => count * 60_000;

test("a span is told by the clock, and beyond a day by its weekday too", () => {
  expect(spanInWords({ from, stepMs: minutes(5) }, 3, 12)).toBe("09:15");
  expect(spanInWords({ from, stepMs: minutes(60) }, 5, 24)).toBe("14:00");
  expect(spanInWords({ from, stepMs: minutes(360) }, 4, 28)).toBe("Mon 09:00");
});

test("what was not counted to its end is said to be the least", () => {
  expect(totalInWords({ total: 12_345, isLeast: false })).toBe("12,345");
  expect(totalInWords({ total: 10_000, isLeast: true })).toBe("at least 10,000");
});

test("the most in one span is named with its moment, and nothing is none", () => {
  expect(peakInWords({ counts: [0, 4, 2] }, { from, stepMs: minutes(5) })).toBe(
    "most in one span: 4, from 09:05",
  );
  expect(peakInWords({ counts: [0, 0] }, { from, stepMs: minutes(5) })).toBe("none");
});

test("a failure is unwelcome, a failure that did not happen and a pipeline are not", () => {
  expect([of("gatesFailed", 1), of("gatesFailed", 0), of("pipelinesBegun", 5)]).toEqual([true, false, false]);
});
