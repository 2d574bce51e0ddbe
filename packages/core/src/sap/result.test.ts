import { ArtifactAction, FailureStrategy, Outcome } from "@signalbox/contracts";
import { ResultSchema } from "@signalbox/contracts/sap";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { plainResult } from "./result.ts";
import { sapStatusOf } from "./status.ts";
import { answered, answerFailed, onFailure, resultOf } from "./testing/results.ts";
import { sapTask } from "./testing/task.ts";

test("SAP-22 ids are kept, and the producer is who worked last, or nobody yet", () => {
  const run = new Run([stage("a")]);
  expect(resultOf(run)).toMatchObject({
    taskId: sapTask().taskId,
    correlationId: sapTask().correlationId,
    producer: { agentId: "signalbox", agentKind: "system" },
    status: "QUEUED",
  });
  run.finish("a");
  expect(resultOf(run)).toMatchObject({
    producer: { agentId: "pack", agentKind: "agent" },
    status: "SUCCEEDED",
    reportedAt: "2026-09-21T14:13:20Z",
    meta: { pipelineId: "pl-1" },
    metrics: { attempts: 1, retries: 0 },
  });
  const hit = plainResult(sapTask(), 0, {
    status: "SUCCEEDED",
    constitutionalEvidence: { alignment: "VALID" },
    output: 1,
  });
  expect(ResultSchema.parse(hit)).toEqual(hit);
});

const failing = (end: (run: Run) => unknown) => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  end(run);
  return resultOf(run).error;
};

test("SAP-24 FAILED says what failed, by a code of section 8", () => {
  expect(failing((run) => run.fail("a"))).toMatchObject({
    code: "UNPROCESSABLE",
    message: expect.stringContaining('Stage "a" failed'),
  });
  expect(
    failing((run) =>
      run.apply(run.sendEvent("a", 0)).apply({ kind: "dispatch-timed-out", ...run.fence("a") }),
    ),
  ).toMatchObject({ code: "TIMEOUT" });
  expect(failing((run) => run.send("a").report("a", { judgement: verdicts.fail }))).toMatchObject({
    code: "NON_CONSTITUTIONAL",
    message: expect.stringContaining("1 of 9 failed"),
  });
});

test("SAP-24 a failure that was handled is not what the pipeline failed of", () => {
  const run = new Run([stage("a", { maxAttempts: 1, edges: onFailure }), stage("h", { maxAttempts: 1 })], {
    strategy: FailureStrategy.FAIL_FAST,
  });
  expect(resultOf(run.fail("a").fail("h"))).toMatchObject({
    status: "FAILED",
    error: { message: expect.stringContaining('Stage "h" failed') },
  });
});

const file = (path: string, action: ArtifactAction = ArtifactAction.CREATED) => ({
  path,
  digest: `sha256:${path}`,
  action,
});

test("SAP-22 SAP-28 producer and artifacts are of what became part of the outcome, as the last stage left it", () => {
  const run = new Run(
    [
      stage("a"),
      stage("b", { dependsOn: ["a"] }),
      stage("c", { dependsOn: ["b"], required: false, maxAttempts: 1 }),
    ],
    { strategy: FailureStrategy.SKIP_FAILED },
  );
  run.send("a").report("a", { init: { artifacts: [file("kept"), file("dropped")] } });
  run.send("b").report("b", {
    init: { artifacts: [file("made"), file("dropped", ArtifactAction.DELETED)] },
  });
  run.apply({ ...run.sendEvent("c"), packId: "other" });
  run.report("c", { judgement: verdicts.fail, init: { artifacts: [file("refused")] } });
  expect(resultOf(run)).toMatchObject({
    status: "PARTIAL",
    producer: { agentId: "pack" },
    artifacts: [
      { uri: "kept", stageId: "a" },
      { uri: "made", stageId: "b" },
    ],
  });
});

test("SAP-24 ESCALATED names the open questions", () => {
  const run = new Run([stage("a")]).send("a").report("a", { judgement: verdicts.ask });
  const { escalationId, recommended } = run.question("a");
  expect(resultOf(run).nextActions).toEqual([
    expect.objectContaining({ action: "resolve_escalation", escalationId, recommended }),
  ]);
});

test("SAP-24 SAP-32 a question is named, and asked of a person, also while another stage is at work", () => {
  const run = new Run([stage("a"), stage("b")]).send("a", "b").report("a", { judgement: verdicts.ask });
  const { escalationId } = run.question("a");
  expect(resultOf(run)).toMatchObject({
    status: "RUNNING",
    nextActions: [{ action: "resolve_escalation", escalationId }],
    constitutionalEvidence: { alignment: "ESCALATE" },
  });
  run.report("b");
  expect(resultOf(run).status).toBe("ESCALATED");
  run.resolve("a", { option: "advance" });
  expect(resultOf(run)).toMatchObject({
    status: "SUCCEEDED",
    constitutionalEvidence: { alignment: "VALID" },
  });
  expect(resultOf(run)).not.toHaveProperty("nextActions");
});

test("SAP-24 an answer that says it failed, or is not of its schema, is UNPROCESSABLE, and nothing was broken", () => {
  for (const code of ["SACP_FAILURE", "SACP_SCHEMA", "SACP_UNPARSEABLE"]) {
    const run = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
    expect(resultOf(answerFailed(run, code))).toMatchObject({
      status: "FAILED",
      error: { code: "UNPROCESSABLE" },
      constitutionalEvidence: { alignment: "VALID" },
    });
  }
});

test("SAP-29 what the agent said was done in part is PARTIAL once a person let it pass, and says so; done again it is none", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).send("a");
  run.report("a", {
    outcome: Outcome.PARTIAL,
    ...answered({ n: 1 }, "the second half is missing"),
    judgement: verdicts.ask,
  });
  const again = new Run([stage("a")]).send("a");
  again
    .report("a", { outcome: Outcome.PARTIAL, judgement: verdicts.ask })
    .resolve("a", { option: "retry", instructions: "all of it" });
  again.send("a").report("a", answered({ n: 2 }));
  expect(resultOf(again)).toMatchObject({ status: "SUCCEEDED", output: { n: 2 } });
  run
    .resolve("a", { option: "advance" })
    .send("b")
    .report("b", answered({ n: 2 }));
  expect(resultOf(run)).toMatchObject({
    status: "PARTIAL",
    output: { n: 2 },
    nextActions: [
      {
        action: "submit_task",
        payload: {
          stageId: "a",
          doneInPart: expect.stringMatching(/a person let it pass: .*half is missing/),
        },
      },
    ],
    constitutionalEvidence: { alignment: "VALID" },
  });
});

test("SAP-27 what has only begun is QUEUED, with all that a Result has", () => {
  expect(resultOf(new Run([stage("a")]))).toMatchObject({
    status: "QUEUED",
    producer: { agentId: "signalbox", agentKind: "system" },
    constitutionalEvidence: {
      alignment: "VALID",
      policyChecks: [{ principle: "blueprint", status: "NOT_JUDGED" }],
      citations: ["signalbox:pipeline/pl-1"],
      cache: { hit: false },
    },
    metrics: { attempts: 0 },
  });
});

test("SAP-24 an agent that says it failed, and nothing else, is UNPROCESSABLE as well; one that says nothing is TIMEOUT", () => {
  for (const [event, code] of [
    [{ kind: "agent-failed", detail: "the agent answered 500" }, "UNPROCESSABLE"],
    [{ kind: "lease-lost", leaseExpiredAt: 1 }, "TIMEOUT"],
  ] as const) {
    const run = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST }).send("a");
    const ended = run.apply({ ...event, ...run.fence("a") });
    expect(resultOf(ended)).toMatchObject({ status: "FAILED", error: { code } });
  }
});

test("SAP-24 an agent that names its failure by a word of its own is UNPROCESSABLE too, whatever the word is", () => {
  for (const [named, code] of [
    ["TESTS_FAILED", "UNPROCESSABLE"],
    ["constructor", "UNPROCESSABLE"],
    ["__proto__", "UNPROCESSABLE"],
    ["RATE_LIMITED", "RATE_LIMIT"],
    ["", "INTERNAL"],
  ] as const) {
    const run = new Run([stage("a")], { strategy: FailureStrategy.FAIL_FAST });
    expect(resultOf(answerFailed(run, named))).toMatchObject({ status: "FAILED", error: { code } });
  }
});

test("SAP-24 what somebody aborted says a code of section 8 too", () => {
  const run = new Run([stage("a")]).apply({ kind: "abort", by: { type: "human", id: "x" }, note: "" });
  expect(resultOf(run)).toMatchObject({ status: "CANCELLED", error: { code: "UNPROCESSABLE" } });
});

const late = (policy: ConstructorParameters<typeof Run>[1]) => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })], {
    taskDeadlineAt: 60_000,
    ...policy,
  });
  run.send("a");
  run.now = 60_000;
  return run.apply({ kind: "deadline-reached" });
};

test("SAP-26 a deadline is FAILED and TIMEOUT when it passes, or when a person who was asked gives no more time", () => {
  const timedOut = {
    status: "FAILED",
    error: {
      code: "TIMEOUT",
      message:
        'The task\'s deadline, 1970-01-01T00:01:00Z, passed before it was done; stage "a" was at work; stage "b" was not begun.',
    },
    constitutionalEvidence: { alignment: "VALID" },
  };
  expect(resultOf(late({ templateId: "" }))).toMatchObject(timedOut);
  const asked = late({});
  expect(resultOf(asked)).toMatchObject({
    status: "ESCALATED",
    nextActions: [
      { action: "resolve_escalation", options: ["extend", "resume", "abort"], recommended: "extend" },
    ],
  });
  expect(resultOf(asked.resolve(null, { option: "abort" }))).toMatchObject({
    status: "FAILED",
    error: { code: "TIMEOUT" },
  });
  const longer = late({}).resolve(null, { option: "extend", byMs: 60_000 });
  expect(sapStatusOf(longer.state)).toBe("RUNNING");
  expect(sapStatusOf(longer.pause().state)).toBe("RUNNING");
  const aborted = longer.apply({ kind: "abort", by: { type: "human", id: "x" }, note: "" });
  expect(sapStatusOf(aborted.state)).toBe("CANCELLED");
});

const attemptsOf = (run: Run) => resultOf(run).metrics?.["attempts"];

test("SAP-38 attempts are what was sent, and not what waited, was refused, lacked a value, or ended before it was sent", () => {
  const waited = new Run([stage("a"), stage("b")], { taskDeadlineAt: 60_000, templateId: "" }).send("a");
  waited.apply(waited.deferEvent("b", 50));
  expect(attemptsOf(waited)).toBe(1);
  waited.now = 60_000;
  expect(resultOf(waited.apply({ kind: "deadline-reached" }))).toMatchObject({
    status: "FAILED",
    metrics: { attempts: 1 },
  });
  const unfilled = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).finish("a");
  const lacks = { kind: "inputs-unfilled", stageId: "b", problem: "no value" } as const;
  unfilled.apply({ ...lacks, attemptNumber: 1 }).resolve("b", { option: "retry", instructions: "" });
  expect(attemptsOf(unfilled.apply({ ...lacks, attemptNumber: 2 }))).toBe(1);
  const refused = new Run([stage("a")]);
  refused.refuseDispatch("a").resolve("a", { option: "retry", instructions: "" });
  expect(attemptsOf(refused)).toBe(0);
  expect(attemptsOf(refused.send("a"))).toBe(1);
  expect(attemptsOf(refused.report("a", { judgement: verdicts.retry }).finish("a"))).toBe(2);
  const by = { type: "human", id: "x" } as const;
  expect(attemptsOf(new Run([stage("a")]).apply({ kind: "abort", by, note: "" }))).toBe(0);
});
