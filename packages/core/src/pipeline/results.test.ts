import { AuditEventType, FailureStrategy, Outcome, StageStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { reporter, stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const { RETRYABLE_FAILURE, NON_RETRYABLE_FAILURE, POLICY_BLOCKED, PARTIAL, SUCCESS } = Outcome;

test("REPORT-1 VERDICT-2 a success is received, validated and passes its gate, and what waited is READY", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.finish("a");
  expect(run.latestActions).toEqual(["result.received", "result.validated", "gate.passed"]);
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.GATE_PASSED,
    snapshot: {
      case: "gate",
      value: { checks: [{ gateName: "tests", passed: true, evidence: "all green" }] },
    },
  });
  expect(run.stages).toEqual({ a: "COMPLETED", b: "READY" });
  expect(run.woken()).toEqual(["b"]);
});

test("REPORT-1 the entry of a result has its outcome, confidence and counts", () => {
  const run = new Run([stage("a")])
    .send("a")
    .report("a", { init: { artifacts: [{ path: "x" }], blockers: [{}] } });
  expect(run.facts.find(({ action }) => action === "result.received")).toMatchObject({
    actor: reporter,
    rationale: "pack (pack-1) reported on attempt 1",
    snapshot: {
      case: "result",
      value: {
        outcome: SUCCESS,
        artifactsCount: 1,
        evidenceCount: 0,
        blockersCount: 1,
        validationPassed: true,
      },
    },
  });
});

test("REPORT-2 ATTEMPT-1 a retryable failure is tried again until the stage has no attempt left", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  run.fail("a", RETRYABLE_FAILURE).fail("a", RETRYABLE_FAILURE);
  expect(run.stage("a")).toMatchObject({ attemptNumber: 3, retriesUsed: 2 });
  run.fail("a", RETRYABLE_FAILURE);
  expect(run.stages).toEqual({ a: "FAILED" });
  expect(run.stage("a").failure?.reason).toContain("the stage has no attempt left");
});

test("REPORT-2 a failure that is not retryable is not retried", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]).fail("a", NON_RETRYABLE_FAILURE);
  expect(run.stages).toEqual({ a: "FAILED" });
  expect(run.state.retriesUsed).toBe(0);
});

test.each([
  ["It stopped.", "It stopped; the failure is not retryable"],
  ["And so on...", "And so on...; the failure is not retryable"],
])("REPORT-2 an agent's sentence %j goes on as one", (message, reason) => {
  const run = new Run([stage("a")]);
  const status = { outcome: NON_RETRYABLE_FAILURE, failureCode: "CODE", failureReason: message };
  run.send("a").report("a", { outcome: NON_RETRYABLE_FAILURE, judgement: null, init: { status } });
  expect(run.stage("a").failure?.reason).toContain(`: ${reason}`);
});

test("ATTEMPT-2 all stages share max_total_retries", () => {
  const run = new Run([stage("a", { maxAttempts: 9 }), stage("b", { maxAttempts: 9 })], {
    maxTotalRetries: 1,
  });
  run.fail("a", RETRYABLE_FAILURE).fail("b", RETRYABLE_FAILURE);
  expect(run.stages).toEqual({ a: "READY", b: "FAILED" });
  expect(run.stage("b").failure?.reason).toContain("the pipeline has no retry left");
});

test("ATTEMPT-5 the next attempt keeps what the last one handed on, and the newest eight pieces of feedback", () => {
  const run = new Run([stage("a", { maxAttempts: 20 })], { maxTotalRetries: 20 });
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    run.send("a").report("a", {
      judgement: { ...verdicts.retry, instructions: `advice ${attempt}` },
      init: attempt === 1 ? { contextOut: { risksIdentified: ["a risk"] } } : {},
    });
  }
  const { priorContextOut, feedback, result } = run.stage("a");
  expect(priorContextOut?.risksIdentified).toEqual(["a risk"]);
  expect(feedback.map(({ text }) => text)).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((n) => `advice ${n}`));
  expect(result).toBeNull();
});

test.each([FailureStrategy.FAIL_FAST, FailureStrategy.SKIP_FAILED, FailureStrategy.PAUSE])(
  "REPORT-3 POLICY_BLOCKED asks a person under failure strategy %i, even past a gate's word",
  (strategy) => {
    const run = new Run([stage("a", { required: false })], { strategy });
    run.send("a").report("a", { outcome: POLICY_BLOCKED, judgement: verdicts.fail });
    expect(run.status).toBe("PAUSED");
    expect(run.question("a")).toMatchObject({
      cause: "policy-blocked",
      options: ["retry", "rewind", "skip", "abort"],
    });
  },
);

test("REPORT-4 D7 an invalid result is retried without a cancel; a quarantined instance can be restored", () => {
  const run = new Run([stage("a")]);
  const invalid = (quarantined: boolean) =>
    run.send("a").apply({
      kind: "result-invalid",
      by: reporter,
      ...run.fence("a"),
      error: "evidence is missing",
      schemaVersionReceived: "0.9.0",
      schemaVersionExpected: "1.0.0",
      consecutiveInvalid: quarantined ? 3 : 1,
      quarantined,
    });
  invalid(false);
  expect(run.stage("a")).toMatchObject({ status: StageStatus.READY, attemptNumber: 2 });
  expect(run.cancelled()).toEqual([]);
  invalid(true);
  expect(run.facts.find(({ action }) => action === "result.invalid")).toMatchObject({
    eventType: AuditEventType.RESULT_INVALID,
    actor: reporter,
    snapshot: {
      value: {
        validationPassed: false,
        validationError: "evidence is missing",
        consecutiveInvalidResults: 1,
      },
    },
  });
  expect(run.question("a")).toMatchObject({ recommended: "restore", quarantined: { instanceId: "pack-1" } });
  run.resolve("a", { option: "restore" });
  expect(run.latest).toContainEqual({
    kind: "restore-instance",
    instance: { packId: "pack", instanceId: "pack-1" },
  });
  expect(run.stage("a")).toMatchObject({ status: StageStatus.READY, attemptNumber: 3 });
});

test("VERDICT-1 no success passes without a verdict, and no verdict makes a success of a failure", () => {
  const run = new Run([stage("a")]).send("a");
  const refused = (outcome: Outcome, judgement: typeof verdicts.advance | typeof verdicts.ask | null) =>
    run.refusal(run.reportEvent("a", { outcome, judgement })).reason;
  expect(refused(SUCCESS, null)).toBe("gate-not-judged");
  expect(refused(PARTIAL, null)).toBe("gate-not-judged");
  expect(refused(Outcome.UNSPECIFIED, null)).toBe("gate-not-judged");
  expect(refused(RETRYABLE_FAILURE, verdicts.advance)).toBe("advance-without-success");
  expect(refused(POLICY_BLOCKED, verdicts.ask)).toBe("advance-without-success");
  expect(refused(POLICY_BLOCKED, verdicts.advance)).toBe("advance-without-success");
});

test("VERDICT-1 ESC-3 of a failure a person may be asked, and nobody can let it through", () => {
  for (const outcome of [RETRYABLE_FAILURE, NON_RETRYABLE_FAILURE]) {
    const run = new Run([stage("a")]);
    run.send("a").report("a", { outcome, judgement: verdicts.askAboutBreach });
    expect([run.status, run.stages]).toEqual(["PAUSED", { a: "DISPATCHED" }]);
    expect(run.question("a")).toMatchObject({ options: ["retry", "rewind", "abort"], recommended: "retry" });
    run.resolve("a", { option: "retry", instructions: "without curl" });
    expect(run.stage("a")).toMatchObject({ status: StageStatus.READY, attemptNumber: 2 });
  }
});

test("VERDICT-3 a fixable failure goes back with the failed checks; the entry has what is left of the budgets", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  const left = () =>
    run.facts.flatMap(({ eventType, snapshot }) =>
      eventType === AuditEventType.GATE_FAILED && snapshot?.case === "gate"
        ? [[snapshot.value.stageRetriesLeft, snapshot.value.pipelineRetriesLeft]]
        : [],
    );
  run.send("a").report("a", { judgement: verdicts.retry });
  expect(run.stage("a").feedback).toMatchObject([
    { kind: "retry", fromAttempt: 1, text: "mend the test", failedChecks: [{ gateName: "tests" }] },
  ]);
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.GATE_FAILED,
    action: "stage.retried",
    snapshot: { case: "gate", value: { stageRetriesLeft: 1, pipelineRetriesLeft: 3, rejectionsLeft: 2 } },
  });
  run.send("a").report("a", { judgement: verdicts.retry });
  run.send("a").report("a", { judgement: verdicts.retry });
  // The last one had nothing left to take.
  expect(left()).toEqual([
    [1, 3],
    [0, 2],
    [0, 2],
  ]);
  expect(run.stages).toEqual({ a: "FAILED" });
});

test("VERDICT-5 D14 a verdict that needs a person holds the stage with its result", () => {
  const run = new Run([stage("a")]);
  run.send("a").report("a", { outcome: PARTIAL, judgement: verdicts.ask });
  expect([run.status, run.stages]).toEqual(["PAUSED", { a: "DISPATCHED" }]);
  expect(run.stage("a").result?.outcome).toBe(PARTIAL);
  expect(run.question("a").options).toEqual(["advance", "retry", "rewind", "abort"]);
});

test("VERDICT-6 what cannot be fixed is not tried again", () => {
  const run = new Run([stage("a", { maxAttempts: 9 })]).send("a").report("a", { judgement: verdicts.fail });
  expect(run.stages).toEqual({ a: "FAILED" });
  expect(run.facts.find(({ action }) => action === "stage.failed")?.eventType).toBe(
    AuditEventType.GATE_FAILED,
  );
});

test("VERDICT-7 a rejection past max_rejections is a final failure of the stage that was judged", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })], { maxRejections: 1 });
  const reject = () =>
    run
      .finish("a")
      .send("b")
      .report("b", { judgement: verdicts.rejectTo("a") });
  reject();
  expect([run.stages, run.state.rejectionsUsed]).toEqual([{ a: "READY", b: "PENDING" }, 1]);
  reject();
  expect([run.stages, run.state.rejectionsUsed]).toEqual([{ a: "COMPLETED", b: "FAILED" }, 1]);
  expect(run.question("b")).toMatchObject({
    problem: expect.stringContaining("the pipeline has no rejection left"),
    recommended: "rewind",
  });
});

test("VERDICT-8 D12 a question is answered outside every budget, and the answer reaches the next attempt", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { maxTotalRetries: 0 });
  run.send("a").report("a", { judgement: verdicts.clarify });
  expect(run.question("a")).toMatchObject({ cause: "clarification", recommended: "answer" });
  run.resolve("a", { option: "answer", answer: "the first" });
  expect(run.state.retriesUsed).toBe(0);
  expect(run.stage("a")).toMatchObject({
    status: StageStatus.READY,
    attemptNumber: 2,
    retriesUsed: 0,
    feedback: [{ kind: "answer", question: "Which of the two?", text: "the first" }],
  });
});
