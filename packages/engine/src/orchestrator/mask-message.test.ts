import { create } from "@bufbuild/protobuf";
import { AgentResultSchema, Outcome } from "@signalbox/contracts";
import { compileRedactor } from "@signalbox/core";
import { expect, test } from "vitest";
import { maskMessage } from "./mask-message.ts";

const result = create(AgentResultSchema, {
  status: { outcome: Outcome.SUCCESS, summary: "done by somebody" },
  timing: { duration: { seconds: 7n } },
  attemptNumber: 3,
});

test("D21 a message that holds no secret is handed through as it is", () => {
  expect(maskMessage(compileRedactor(), AgentResultSchema, result).message).toBe(result);
});

test("D21 a text that the policy masks is a marker, and the message stays one", () => {
  const redactor = compileRedactor({ always_redact: ["**/*.summary"], conditional_redact: [] });
  const { message, marks } = maskMessage(redactor, AgentResultSchema, result);
  expect(message.status?.summary).toMatch(/^\[redacted/);
  expect(marks).toMatchObject([{ path: "status.summary" }]);
});

test("D21 a path that begins with the message's own name holds for the message itself", () => {
  const redactor = compileRedactor({
    always_redact: ["agent_result.status.summary"],
    conditional_redact: [],
  });
  const { message } = maskMessage(redactor, AgentResultSchema, result);
  expect(message.status?.summary).toBe("[redacted:policy-path]");
});

test.each([
  ["a message", "**/*.timing", "timing"],
  ["a duration", "**/*.duration", "timing.duration"],
  ["an enum", "**/*.outcome", "status.outcome"],
  ["a number", "**/*.attempt_number", "attemptNumber"],
])("D21 %s that the policy masks is refused by its name, and its value is not told", (_, path, field) => {
  const redactor = compileRedactor({ always_redact: [path], conditional_redact: [] });
  const mask = () => maskMessage(redactor, AgentResultSchema, result);
  expect(mask).toThrow(expect.objectContaining({ code: "REDACTION_FAILED" }));
  expect(mask).toThrow(field);
  expect(mask).not.toThrow(/SUCCESS|7s|somebody/);
});

test("D21 of many fields that were masked a few are named", () => {
  const redactor = compileRedactor({
    always_redact: ["**/*.summary", "**/*.failure_code", "**/*.failure_reason", "**/*.outcome"],
    conditional_redact: [],
  });
  const status = { outcome: Outcome.SUCCESS, summary: "a", failureCode: "b", failureReason: "c" };
  const mask = () => maskMessage(redactor, AgentResultSchema, create(AgentResultSchema, { status }));
  expect(mask).toThrow(/masked: status\.\w+, status\.\w+, status\.\w+ and 1 more$/);
});
