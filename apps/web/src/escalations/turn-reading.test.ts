import { expect, test } from "vitest";
import { readTurn } from "./turn-reading.ts";

test("a turn is read as far as it says something", () => {
  const content = { thought: "It is clear.", action: "Read it.", observation: "120 lines." };
  expect(readTurn({ content, metadata: { confidence: 0.8 } })).toEqual({ ...content, confidence: 0.8 });
  expect(readTurn({ content: { thought: "x" } })).toEqual({
    thought: "x",
    action: "",
    observation: "",
    confidence: undefined,
  });
});

test.each([[null], ["turn"], [{}], [{ content: 7 }]])("what is no turn is none: %j", (turn) => {
  expect(readTurn(turn)).toBeUndefined();
});
