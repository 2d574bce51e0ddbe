import { Outcome } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";

const said = (status: string) => ({
  init: {
    response: { thought: "I weighed both", status, data: {}, message: "Which of the two?", nextStepHint: "" },
  },
});

test("SACP-46 (D12) a question's answer is what the next attempt is told, and costs no retry", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { maxTotalRetries: 0 });
  run
    .send("a")
    .report("a", { ...said("clarification_needed"), outcome: Outcome.PARTIAL, judgement: verdicts.clarify });
  expect(run.question("a")).toMatchObject({ cause: "clarification", problem: "Which of the two?" });
  run.resolve("a", { option: "answer", answer: "The first" });
  expect(run.stage("a")).toMatchObject({
    attemptNumber: 2,
    retriesUsed: 0,
    feedback: [{ kind: "answer", text: "The first", question: "Which of the two?" }],
  });
  expect(run.state.retriesUsed).toBe(0);
});

test("SACP-47 (SACP 9.2) the entry of a result holds the answer with its thought", () => {
  const run = new Run([stage("a")]).send("a").report("a", said("success"));
  const received = run.facts.find(({ action }) => action === "result.received");
  expect(JSON.stringify(received?.changes)).toContain("I weighed both");
});

test("SACP-45 each guardrail that changed an answer is on record by its name, before the answer is judged", () => {
  const run = new Run([stage("a")]).send("a");
  run.apply({
    ...run.reportEvent("a", said("success")),
    guardrails: [
      { name: "quiet", effect: "redact_message" },
      { name: "no-promises", effect: "fail" },
    ],
  });
  expect(run.latestActions.slice(0, 4)).toEqual([
    "result.received",
    "answer.redacted",
    "answer.failed",
    "result.validated",
  ]);
  expect(run.facts.map(({ rationale }) => rationale).join("\n")).toContain(
    'Guardrail "no-promises" failed the answer',
  );
});
