import { expect, test } from "vitest";
import { nameInWords, type Standing, standingOf } from "./attempt-words.ts";

const attempt = (more: Partial<Standing>): Standing => ({
  atWork: false,
  standing: null,
  outcome: null,
  ...more,
});
const judged = (verdict: string | null, outcome = "SUCCESS") =>
  attempt({ standing: "counted", outcome: { outcome, verdict, handedBack: false } });

test.each([
  [attempt({ atWork: true }), "unlit", "At work"],
  [attempt({}), "unlit", "Ended without a result"],
  [judged("advance"), "clear", "Passed its gate"],
  [judged("ask"), "caution", "Gate asked a person"],
  [judged("retry"), "danger", "Failed its gate"],
  [judged("reject"), "danger", "Sent the work back"],
  [judged("none", "RETRYABLE_FAILURE"), "danger", "Reported a failure"],
  [
    attempt({
      standing: "counted",
      outcome: { outcome: "RETRYABLE_FAILURE", verdict: "none", handedBack: true },
    }),
    "unlit",
    "Handed back",
  ],
  [judged(null, "SUCCESS"), "clear", "Reported success"],
  [
    attempt({ standing: "invalid", outcome: { outcome: "", verdict: null, handedBack: false } }),
    "danger",
    "Result was not valid",
  ],
  [attempt({ standing: "stale" }), "unlit", "Result came too late"],
  [judged("a later version's"), "clear", "Reported success"],
])("%j is %s: %s", (given, aspect, word) => {
  expect(standingOf(given)).toEqual({ aspect, word });
});

test.each([
  ["RETRYABLE_FAILURE", "", "retryable failure"],
  ["RISK_TIER_LOW", "RISK_TIER_", "low"],
  ["CONFIDENCE_CONFIDENT", "CONFIDENCE_", "confident"],
  ["Some words", "", "Some words"],
  ["", "X_", ""],
])("%s without %s reads %s", (name, prefix, words) => {
  expect(nameInWords(name, prefix)).toBe(words);
});
