import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { AgentResultSchema, Outcome } from "@signalbox/contracts";
import { checkResult } from "./dispatch/check-result.ts";
import { Run } from "./pipeline/testing/run.ts";
import { reporter, stage, verdicts } from "./pipeline/testing/definitions.ts";
import type { PipelineEvent } from "./pipeline/event.ts";
import { quotedInstructions, quotedName, quotedReason } from "./quoted-text.ts";

const long = "the same over and over ".repeat(50_000);

test("REPORT-5 what is short stays as it is, and what is cut says by how much", () => {
  expect([quotedReason("why"), quotedInstructions("how"), quotedName("x")]).toEqual(["why", "how", "x"]);
  for (const [cut, limit] of [
    [quotedReason(long), 4_096],
    [quotedInstructions(long), 16_384],
    [quotedName(long), 200],
  ] as const) {
    expect(cut.length).toBeLessThanOrEqual(limit);
    expect(cut).toMatch(/ \[… \d+ characters left out\]$/);
  }
});

const failing = (outcome: Outcome) => (run: Run) => ({
  ...run.reportEvent("a", { judgement: null }),
  result: create(AgentResultSchema, { status: { outcome, failureCode: long, failureReason: long } }),
});
const judged = (judgement: Parameters<Run["report"]>[1]) => (run: Run) => run.reportEvent("a", judgement);

test.each<[string, (run: Run) => PipelineEvent]>([
  ["a failure that may be retried", failing(Outcome.RETRYABLE_FAILURE)],
  ["one that may not", failing(Outcome.NON_RETRYABLE_FAILURE)],
  ["a policy in the way", failing(Outcome.POLICY_BLOCKED)],
  [
    "an invalid result",
    (run) => ({
      kind: "result-invalid",
      by: reporter,
      ...run.fence("a"),
      error: long,
      schemaVersionReceived: long,
      schemaVersionExpected: "1.0.0",
      consecutiveInvalid: 1,
      quarantined: false,
    }),
  ],
  ["a transport's failure", (run) => ({ kind: "transport-failed", ...run.fence("a"), detail: long })],
  [
    "a handoff",
    (run) => ({
      kind: "handoff-requested",
      ...run.fence("a"),
      to: { taskType: null, packId: long },
      contextOut: null,
      context: long,
      verdict: { allowed: false, why: "no" },
    }),
  ],
  ["a retry", judged({ judgement: { ...verdicts.retry, rationale: long, instructions: long } })],
  [
    "a rejection",
    judged({
      judgement: {
        verdict: "reject",
        gate: { checks: [] },
        targetStageId: "a",
        rationale: long,
        instructions: long,
      },
    }),
  ],
  ["a final verdict", judged({ judgement: { ...verdicts.fail, rationale: long } })],
  ["a gate's question", judged({ judgement: { ...verdicts.ask, problem: long } })],
  ["an agent's question", judged({ judgement: { verdict: "clarify", question: long } })],
])("REPORT-5 %s of a million characters is not repeated whole in entry, question or state", (_, event) => {
  const run = new Run([stage("a")]).send("a");
  run.apply(event(run));
  expectBrief(run);
});

test("REPORT-5 nor is what stands against every reference of a stage that cannot be sent", () => {
  const run = new Run([stage("a")]);
  run.apply({
    kind: "dispatch-refused",
    stageId: "a",
    attemptNumber: 1,
    reason: "stale-refs",
    problem: long,
    decision: {},
    quarantined: null,
  });
  expectBrief(run);
});

test("REPORT-5 nor is what an invalid result names instead of its dispatch, trace and version", () => {
  const trace = { traceId: long, spanId: "s", tenantId: "t" };
  const result = create(AgentResultSchema, {
    dispatchId: long,
    trace,
    protocolVersion: { schemaVersion: long },
  });
  const expected = { dispatchId: "d1", attemptNumber: 1, traceId: "t1", schemaVersion: "1.0.0" };
  const violations = [{ field: `data["${long}"]`, rule: "max_len", message: long }];
  const found = checkResult(result, expected, "d1", violations);
  expect(found).toMatchObject({ kind: "invalid", faults: { length: 4 } });
  expect(JSON.stringify(found).length).toBeLessThan(6_000);
  expect(JSON.stringify(checkResult(result, expected, undefined, [])).length).toBeLessThan(600);
});

function expectBrief(run: Run): void {
  expect(JSON.stringify([run.latest, run.state]).length).toBeLessThan(200_000);
}
