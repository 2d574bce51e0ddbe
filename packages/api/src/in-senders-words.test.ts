import {
  AgentResultSchema,
  RegisterPackRequestSchema,
  SignalboxError,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { expect, test } from "vitest";
import { inSendersWords } from "./in-senders-words.ts";

const named = (schema: Parameters<typeof inSendersWords>[1]["schema"], body: string, field: string) => {
  const violations = [{ field, rule: "any", message: "is wrong" }];
  const error = new SignalboxError("VALIDATION_FAILED", "It is wrong", { violations });
  return inSendersWords(error, { schema, body }).violations[0]?.field;
};

test.each([
  ["as it was sent", `{"manifest":{"packId":""}}`, "manifest.pack_id", "manifest.packId"],
  ["in the other spelling, too", `{"manifest":{"pack_id":""}}`, "manifest.pack_id", "manifest.pack_id"],
  ["by its JSON name where it is missing", `{}`, "manifest.pack_version", "manifest.packVersion"],
  ["as it is where it is unknown", `{"manifest":{"pack_ids":1}}`, "manifest.pack_ids", "manifest.pack_ids"],
  ["as it is where the body is no JSON", `{"manifest":{"pack_id"`, "manifest.pack_id", "manifest.pack_id"],
])("a field is named %s", (_, body, field, expected) => {
  expect(named(RegisterPackRequestSchema, body, field)).toBe(expected);
});

test.each([
  ["evidence.none_with_reason", "evidence.noneWithReason"],
  ["blockers[12].blocker_type", "blockers[12].blockerType"],
  ["response.data.snake_case.in_it", "response.data.snake_case.in_it"],
  [`response.data["two words"]`, `response.data["two words"]`],
  ["", ""],
])("%s of a result is %s", (field, expected) => {
  expect(named(AgentResultSchema, `{"response":{"data":{"snake_case":{}}}}`, field)).toBe(expected);
});

test.each([
  [TaskSubmissionSchema, "work", "is wrong: templateId, taskType"],
  [AgentResultSchema, "evidence.evidence_payload", "is wrong: items, noneWithReason"],
  [AgentResultSchema, "evidence.items", "is wrong"],
] as const)("a oneof has no name in JSON, so %#'s fields are told", (schema, field, expected) => {
  const violations = [{ field, rule: "required", message: "is wrong" }];
  const error = new SignalboxError("VALIDATION_FAILED", "It is wrong", { violations });
  expect(inSendersWords(error, { schema, body: "{}" }).violations[0]?.message).toBe(expected);
});
