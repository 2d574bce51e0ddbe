import { expect, test } from "vitest";
import { answerOf, emptyDraft, isWritten, keptAnswer, neededFor } from "./answer-draft.ts";

const draft = {
  ...emptyDraft("retry", "build"),
  comment: " The registry is back. ",
  instructions: "Run the tests again.",
  answer: "clamp",
};
const said = { escalationId: "p-e1", comment: "The registry is back." };

test.each([
  ["retry", { instructions: "Run the tests again." }],
  ["rewind", { stageId: "build", instructions: "Run the tests again." }],
  ["answer", { answer: "clamp" }],
  ["extend", { extendBy: "30m" }],
  ["advance", {}],
  ["skip", {}],
  ["accept", {}],
  ["restore", {}],
  ["resume", {}],
  ["abort", {}],
] as const)("%s sends what goes with it, and nothing else of what was written", (option, parts) => {
  expect(answerOf("p-e1", { ...draft, option })).toEqual({ ...said, option, ...parts });
});

test("empty instructions are none", () => {
  expect(answerOf("p-e1", { ...draft, instructions: " " })).toEqual({ ...said, option: "retry" });
});

test("what was kept is found again, but for an option that is offered no more", () => {
  const empty = emptyDraft("retry", "build");
  expect(keptAnswer({ option: "answer", answer: "clamp" }, empty, ["retry", "answer"])).toEqual({
    ...empty,
    option: "answer",
    answer: "clamp",
  });
  expect(keptAnswer({ option: "answer", comment: "so" }, empty, ["retry"])).toEqual({
    ...empty,
    comment: "so",
  });
});

test.each([
  ["answer", ["answer", "comment"]],
  ["extend", ["extendBy", "comment"]],
  ["retry", ["comment"]],
] as const)("%s cannot go without %j", (option, fields) => {
  expect(Object.keys(neededFor({ ...draft, option }))).toEqual(fields);
});

test("a draft is something once somebody wrote something", () => {
  expect(isWritten(emptyDraft("retry", null))).toBe(false);
  expect(isWritten({ ...emptyDraft("retry", null), answer: "x" })).toBe(true);
});
