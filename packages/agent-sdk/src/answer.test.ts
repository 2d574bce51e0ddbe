import { create, toJson } from "@bufbuild/protobuf";
import { AgentResultSchema, checkMessage, EvidenceItemSchema } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  blockedByPolicy,
  evidenceFrom,
  failed,
  failedForGood,
  needsAnswer,
  partlyDone,
  sentBack,
  succeeded,
} from "./answer.ts";

const evidence = [evidenceFrom({ command: "node --test", output: "ok", exitCode: 0 })];
const failure = { code: "TEST_SUITE_FAILED", reason: "two tests failed", evidence };

const answers: [name: string, answer: Answer, outcome: string][] = [
  ["succeeded", succeeded({ summary: "done", evidence }), "OUTCOME_SUCCESS"],
  ["partlyDone", partlyDone({ summary: "half", evidence }), "OUTCOME_PARTIAL"],
  ["failed", failed(failure), "OUTCOME_RETRYABLE_FAILURE"],
  ["failedForGood", failedForGood({ ...failure, evidence: "nothing ran" }), "OUTCOME_NON_RETRYABLE_FAILURE"],
  ["blockedByPolicy", blockedByPolicy(failure), "OUTCOME_POLICY_BLOCKED"],
  ["needsAnswer", needsAnswer({ question: "Which?" }), "OUTCOME_PARTIAL"],
  ["sentBack", sentBack({ ...failure, stageId: "implement" }), "OUTCOME_NON_RETRYABLE_FAILURE"],
];

test.each(answers)("%s is an answer that obeys the contract", (_, answer, outcome) => {
  const result = create(AgentResultSchema, {
    ...answer,
    protocolVersion: { schemaVersion: "1.0.0" },
    trace: { traceId: "t", spanId: "s", tenantId: "default" },
  });
  expect(() => checkMessage(AgentResultSchema, result)).not.toThrow();
  expect(toJson(AgentResultSchema, result)).toMatchObject({ status: { outcome } });
});

test("a question is asked in the answer's own protocol, and work is sent back by naming the stage", () => {
  expect(needsAnswer({ question: "Which?", data: { of: ["a", "b"] } }).response).toMatchObject({
    status: "clarification_needed",
    message: "Which?",
    data: { of: ["a", "b"] },
  });
  expect(sentBack({ ...failure, stageId: "implement" }).blockers).toEqual([
    { description: "two tests failed", suggestedResolution: "rewind: implement" },
  ]);
});

describe("evidence of a command", () => {
  test.each([
    [0, true],
    [1, false],
    [null, false],
  ])("that ended with %s passed: %s", (exitCode, passed) => {
    expect(evidenceFrom({ command: "c", output: "", exitCode }).passed).toBe(passed);
  });

  test.each(["x", "😀"])(
    "keeps beginning and end of a long output of %s within the contract's bound",
    (letter) => {
      const output = `begin ${letter.repeat(200_000)} end`;
      const item = create(EvidenceItemSchema, evidenceFrom({ command: "c", output, exitCode: 0 }));
      expect(() => checkMessage(EvidenceItemSchema, item)).not.toThrow();
      expect(item.output).toMatch(/^begin [^]*left out here[^]* end$/);
      expect(item.output.isWellFormed()).toBe(true);
    },
  );
});
