import { expect, test } from "vitest";
import { spanInWords } from "./span-words.ts";

test.each([
  [{ name: "pipeline", stageId: "", attemptNumber: 0, attributes: {} }, "pipeline"],
  [{ name: "stage", stageId: "implement", attemptNumber: 0, attributes: {} }, "stage implement"],
  [{ name: "agent_execution", stageId: "implement", attemptNumber: 1, attributes: {} }, "agent execution"],
  [{ name: "agent_execution", stageId: "implement", attemptNumber: 2, attributes: {} }, "agent execution 2"],
  [
    { name: "tool_call", stageId: "implement", attemptNumber: 2, attributes: { tool: "grep" } },
    "tool call grep",
  ],
])("%j is called %s", (span, words) => {
  expect(spanInWords(span)).toBe(words);
});
