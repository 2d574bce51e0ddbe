import { expect, test } from "vitest";
import { answerOf, emptyDraft, isWritten } from "./answer-draft.ts";

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
  ["restore", {}],
  ["resume", {}],
  ["abort", {}],
] as const)("%s sends what goes with it, and nothing else of what was written", (option, parts) => {
  expect(answerOf("p-e1", { ...draft, option })).toEqual({ ...said, option, ...parts });
});

test("empty instructions are none", () => {
  expect(answerOf("p-e1", { ...draft, instructions: " " })).toEqual({ ...said, option: "retry" });
});

test("a draft is something once somebody wrote something", () => {
  expect(isWritten(emptyDraft("retry", null))).toBe(false);
  expect(isWritten({ ...emptyDraft("retry", null), answer: "x" })).toBe(true);
});
