import { expect, test } from "vitest";
import { attributeName, attributeText, spanInWords, statusInWords } from "./span-words.ts";

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

test("what a span carries is told in words, and whose figure it is", () => {
  expect(attributeName("claimedMs")).toBe("Took by the agent’s clock");
  expect(attributeText("claimedMs", 1_500)).toBe("1.5 s");
  expect(attributeName("waitedMs")).toBe("Waited");
  expect(attributeName("policyVersion")).toBe("Policy version");
  expect(attributeText("riskTier", "RISK_TIER_LOW")).toBe("Low");
  expect(attributeText("timeout", "1800s")).toBe("30 minutes");
  expect(attributeText("reason", "")).toBe("none");
  expect(attributeText("turn", 0)).toBe("0");
});

test.each([
  ["open", {}, "goes on"],
  ["ok", { gateVerdict: "pass" }, "ok"],
  ["open", { status: "PAUSED" }, "Paused (goes on)"],
  ["error", { status: "ABORTED" }, "Aborted (error)"],
])("a span that is %s with %j says so once: %s", (status, attributes, words) => {
  expect(statusInWords({ status, attributes })).toBe(words);
});
