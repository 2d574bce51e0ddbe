import { describe, expect, test } from "vitest";
import { ageOf, dueOf, shortSpan } from "./due.ts";

const minute = 60_000;
const opened = Date.parse("2026-05-01T10:00:00Z");
const at = (minutes: number) => new Date(opened + minutes * minute).toISOString();
const asked = {
  openedAt: at(0),
  answerSoonAt: at(20),
  answerDueAt: at(30),
  closedAt: null,
  end: null,
};

test.each([
  [-5 * minute, "under a minute"],
  [59_999, "under a minute"],
  [minute, "1 min"],
  [59.9 * minute, "59 min"],
  [60 * minute, "1 h"],
  [200 * minute, "3 h 20 min"],
  [24 * 60 * minute, "1 d"],
  [53.5 * 60 * minute, "2 d 5 h"],
])("%d ms are %s", (ms, words) => {
  expect(shortSpan(ms)).toBe(words);
});

describe("a question's time to be answered", () => {
  test.each([
    [0, "caution", "30 min left"],
    [19, "caution", "11 min left"],
    [20, "caution", "only 10 min left"],
    [29.5, "caution", "only under a minute left"],
    [30, "danger", "under a minute late"],
    [95, "danger", "1 h 5 min late"],
  ] as const)("after %d minutes it shows %s: %s", (minutes, aspect, word) => {
    expect(dueOf(asked, opened + minutes * minute)).toEqual({ aspect, word });
  });

  test("a closed one calls no more, whatever the time", () => {
    const closed = { ...asked, closedAt: at(5) };
    const now = opened + 500 * minute;
    expect(dueOf({ ...closed, end: { kind: "resolved" } }, now)).toEqual({
      aspect: "clear",
      word: "Resolved",
    });
    expect(dueOf({ ...closed, end: { kind: "superseded" } }, now)).toEqual({
      aspect: "unlit",
      word: "No longer asked",
    });
  });

  test("its age goes on while it is open, and stands once it is closed", () => {
    expect(ageOf(asked, opened + 7 * minute)).toBe("asked 7 min ago");
    expect(ageOf({ ...asked, closedAt: at(12) }, opened + 700 * minute)).toBe("took 12 min");
  });
});
