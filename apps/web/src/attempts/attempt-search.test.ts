import { expect, test } from "vitest";
import { readAttemptSearch } from "./attempt-search.ts";
import { chosenAttempt } from "./chosen-attempt.ts";

test.each([
  [{ stage: "build", attempt: "2", view: "turns", show: "tools", from: "7" }, undefined],
  [{ from: "start" }, undefined],
  [{ stage: "", attempt: "two", view: "work", show: "all", from: "-1", other: "x" }, {}],
  [{ attempt: 2, view: ["turns"] }, {}],
])("of the address %j what means something is kept", (given, kept) => {
  expect(readAttemptSearch(given)).toEqual(kept ?? given);
});

const attempts = [
  { stageId: "a", attemptNumber: 1, sentAt: "2026-02-21T09:00:00Z" },
  { stageId: "a", attemptNumber: 2, sentAt: "2026-02-21T09:20:00Z" },
  { stageId: "b", attemptNumber: 1, sentAt: "2026-02-21T09:10:00Z" },
];

test.each([
  [{}, 1],
  [{ stage: "b" }, 2],
  [{ stage: "a", attempt: "1" }, 0],
  [{ attempt: "1" }, 1],
])("%j chooses the attempt that is named, else the latest", (search, index) => {
  expect(chosenAttempt(attempts, search)).toBe(attempts[index]);
});

test("an attempt that is not there is none", () => {
  expect(chosenAttempt(attempts, { stage: "a", attempt: "3" })).toBeUndefined();
  expect(chosenAttempt([], {})).toBeUndefined();
});
