import { expect, test } from "vitest";
import { objectIn, payloadOf, plainText, wordsOfName } from "./payload.ts";

test("a payload gives the facts of its kind, and what it changed", () => {
  expect(
    payloadOf(
      JSON.stringify({
        action: "gate.passed",
        snapshot: { gate: { passed: true, checks: [] } },
        changes: [{ kind: "stage", subjectId: "build", set: { status: "COMPLETED" } }, { kind: "commit" }],
      }),
    ),
  ).toEqual({
    snapshot: { kind: "gate", facts: { passed: true, checks: [] } },
    changes: [
      { kind: "stage", subjectId: "build", set: { status: "COMPLETED" } },
      { kind: "commit", subjectId: "", set: {} },
    ],
  });
});

test.each(["{}", "null", "[]", '"text"', '{"snapshot":{}}', '{"snapshot":"x","changes":"y"}'])(
  "%s has none, and breaks no page",
  (text) => {
    expect(payloadOf(text)).toEqual({ snapshot: undefined, changes: [] });
  },
);

test("names are shown as people write them", () => {
  expect(wordsOfName("routingPolicyVersion")).toBe("Routing policy version");
  expect(wordsOfName("on_timeout")).toBe("On timeout");
  expect(plainText("RISK_TIER_CRITICAL")).toBe("Critical");
  expect(plainText("OUTCOME_NON_RETRYABLE_FAILURE")).toBe("Non retryable failure");
  expect(plainText("PIPELINE_STATUS_PAUSED")).toBe("Paused");
  expect(plainText("1800s")).toBe("30 minutes");
  expect(plainText("0.250s")).toBe("less than a second");
  expect(plainText("12 s")).toBe("12 s");
  expect(plainText("OUTCOME_")).toBe("OUTCOME_");
});

test("JSON within a text is found, and text that only looks like it is text", () => {
  expect(objectIn('{"outcome":"selected"}')).toEqual({ outcome: "selected" });
  for (const text of ["{busy}", "[]", "1", ""]) expect(objectIn(text)).toBeUndefined();
});
