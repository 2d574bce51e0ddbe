import { expect, test } from "vitest";
import { outcomeInSpans } from "./attempt-outcome.ts";

const execution = {
  name: "agent_execution",
  at: 1,
  attributes: { outcome: "SUCCESS", confidence: "CONFIDENT" },
};
const gate = { name: "review_gate", at: 2, attributes: { verdict: "retry" } };

test("TRACE-11 outcome, confidence and verdict are read from the spans of a result", () => {
  expect(outcomeInSpans([execution, gate], "result")).toEqual({
    outcome: "SUCCESS",
    confidence: "CONFIDENT",
    verdict: "retry",
    handedBack: false,
  });
});

test.each([
  ["RETRYABLE_FAILURE", "INSTANCE_STOPPED", true],
  ["RETRYABLE_FAILURE", "TESTS_FAILED", false],
  ["NON_RETRYABLE_FAILURE", "INSTANCE_STOPPED", false],
])("TRACE-11 SENT-11 %s with %s was handed back: %s", (outcome, failureCode, handedBack) => {
  const spans = [{ ...execution, attributes: { outcome, failureCode } }];
  expect(outcomeInSpans(spans, "result")).toMatchObject({ handedBack });
});

test("TRACE-11 a result that could not be read, or never came before the gate, says neither", () => {
  const unread = { name: "agent_execution", at: 1, failed: true };
  const nothing = { outcome: "", confidence: "", verdict: null, handedBack: false };
  expect(outcomeInSpans([unread], "result")).toEqual(nothing);
  expect(outcomeInSpans([], "result")).toEqual(nothing);
});

test("TRACE-8 TRACE-11 what are no spans is refused with its place", () => {
  expect(() => outcomeInSpans([{ at: 1 }], "result of d1")).toThrow("result of d1.0.name");
});
