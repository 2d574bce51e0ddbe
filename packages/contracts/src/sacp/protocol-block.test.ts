import { expect, test } from "vitest";
import { protocolBlock, withProtocol } from "./protocol-block.ts";
import { readAnswer } from "./read-answer.ts";

test("SACP-1 the block is the specification's, word for word", () => {
  expect(protocolBlock()).toMatchInlineSnapshot(`
    "### SYSTEM PROTOCOL: RESPONSE FORMAT INSTRUCTIONS
    You are a highly organized AI agent integrated into a larger workflow.
    CRITICAL: You MUST provide your response in a valid JSON format.
    DO NOT include any text outside the JSON block.
    DO NOT use markdown code blocks (\`\`\`json ... \`\`\`) unless specifically asked, but the raw response MUST be parseable JSON.

    Your response schema is:
    {
        "thought": "Your reasoning process here...",
        "status": "success" | "failure" | "clarification_needed",
        "data": {
            "key": "value"
            // Any structured data extracted or generated
        },
        "message": "The final human-readable answer."
    }

    Example:
    {
        "thought": "I need to calculate the sum. 5+5 is 10.",
        "status": "success",
        "data": { "result": 10 },
        "message": "The result is 10."
    }"
  `);
});

test("SACP-1 its own example is an answer", () => {
  const example = protocolBlock().split("Example:")[1] ?? "";
  expect(readAnswer(example).source).toBe("json");
});

test("SACP-1 it stands behind the author's prompt, and only where it is asked for", () => {
  const asks = { responseFormat: "json_standard" };
  expect(withProtocol("You find emails.\n", asks)).toBe(`You find emails.\n\n${protocolBlock()}`);
  expect(withProtocol("", asks)).toBe(protocolBlock());
  expect(withProtocol("You find emails.\n", { responseFormat: "" })).toBe("You find emails.\n");
});

test("SACP-2 the stage's schema for data is told behind it", () => {
  const outputSchema = { type: "object", required: ["emails"] };
  const prompt = withProtocol("You find emails.", { responseFormat: "json_standard", outputSchema });
  expect(prompt.startsWith(`You find emails.\n\n${protocolBlock()}`)).toBe(true);
  expect(prompt.endsWith(JSON.stringify(outputSchema, null, 2))).toBe(true);
});

test("SACP-2 an agent with tools is told that only its last answer has the format (§8)", () => {
  const asks = { responseFormat: "json_standard" };
  expect(withProtocol("", asks, { tools: true })).toContain("your final response MUST have it");
  expect(withProtocol("", asks)).not.toContain("tools");
});
