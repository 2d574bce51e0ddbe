import { expect, test } from "vitest";
import { spanInWords } from "./span-words.ts";

test.each([
  [{ name: "pipeline", stageId: "", attemptNumber: 0 }, "pipeline"],
  [{ name: "stage", stageId: "implement", attemptNumber: 0 }, "stage implement"],
  [{ name: "agent_execution", stageId: "implement", attemptNumber: 1 }, "agent execution"],
  [{ name: "agent_execution", stageId: "implement", attemptNumber: 2 }, "agent execution 2"],
])("%j is called %s", (span, words) => {
  expect(spanInWords(span)).toBe(words);
});
