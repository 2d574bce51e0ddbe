import { describe, expect, test } from "vitest";
import { readLearningSearch } from "./learning-search.ts";
import {
  changeInWords,
  hitsInWords,
  principlesInWords,
  ratingInWords,
  ratingsInWords,
  shareInWords,
  statusSignal,
} from "./learning-words.ts";

describe("what a proposal would change", () => {
  test.each([
    [
      { kind: "playbook", capability: "consult", territory: "EUFM", text: "" },
      "Playbook for consult in EUFM",
    ],
    [{ kind: "playbook", capability: "consult", territory: null, text: "" }, "Playbook for consult"],
    [{ kind: "threshold", principle: "calm", escalateAbove: 40 }, "Ask a person where calm is above 40"],
    [
      { kind: "essence", capability: "consult", exclude: ["seed", "trace", "time"], foldText: false },
      "Take tasks for consult for the same that differ in seed, trace or time",
    ],
    [
      { kind: "essence", capability: "consult", exclude: ["seed"], foldText: false },
      "Take tasks for consult for the same that differ in seed",
    ],
    [
      { kind: "essence", capability: "consult", exclude: [], foldText: true },
      "Take tasks for consult for the same that differ in case or white space",
    ],
  ] as const)("%j", (change, words) => {
    expect(changeInWords(change)).toBe(words);
  });
});

test("counts in words, and none where nothing was counted", () => {
  expect(shareInWords(2, 3)).toBe("2 of 3 (67 %)");
  expect(shareInWords(0, 0)).toBe("none yet");
  const cache = { hits: 1, misses: 3, records: 3, oldestRecordAt: null, newestRecordAt: null };
  expect(hitsInWords(cache)).toBe("1 of 4 (25 %)");
  const none = { total: 0, scores: 0, scoreSum: 0, approved: 0, disapproved: 0 };
  expect(ratingsInWords(none)).toBe("none yet");
  expect(ratingsInWords({ ...none, total: 2 })).toBe("2 with a note alone");
  expect(ratingsInWords({ total: 5, scores: 3, scoreSum: 10, approved: 1, disapproved: 2 })).toBe(
    "3.3 of 5, by 3; 1 approved; 2 did not approve",
  );
  expect(principlesInWords({ calm: { PASS: 3, FAIL: 1 } })).toEqual(["calm: PASS 3, FAIL 1"]);
});

test("a rating in words", () => {
  expect(ratingInWords({ score: 4, approved: true })).toBe("4 of 5, approved");
  expect(ratingInWords({ score: null, approved: false })).toBe("not approved");
  expect(ratingInWords({ score: null, approved: null })).toBe("a note");
  expect(statusSignal("ESCALATED")).toEqual({ aspect: "caution", word: "Escalated" });
});

test("an address says which part is shown, and nothing else counts", () => {
  expect(readLearningSearch({ view: "signals", by: "territory", capability: " consult " })).toEqual({
    view: "signals",
    by: "territory",
    capability: "consult",
  });
  expect(readLearningSearch({ view: "cache", by: "territory", capability: "consult" })).toEqual({
    view: "cache",
  });
  for (const search of [{}, { view: "proposals" }, { view: "other" }, { by: "capability", capability: 3 }])
    expect(readLearningSearch(search)).toEqual({});
});
