import { create } from "@bufbuild/protobuf";
import {
  AgentResponseSchema,
  ArtifactAction,
  FailureStrategy,
  Outcome,
  PipelineStatus,
} from "@signalbox/contracts";
import { ResultSchema, type Task } from "@signalbox/contracts/sap";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import type { PrincipleRule } from "../documents/sap-section.ts";
import { constitutionalEvidence } from "./evidence.ts";
import { plainResult, resultOfPipeline } from "./result.ts";
import { followingStatuses, isFinal, isWhole, sapStandingMoved, sapStatusOf } from "./status.ts";
import { principleRule, sapTask } from "./testing/task.ts";

const onFailure = { h: 'response.status == "failure"' };

const answered = (data: object, message = "done") => ({
  init: { response: create(AgentResponseSchema, { status: "success", data: { ...data }, message }) },
});

function resultOf(
  run: Run,
  task: Task = sapTask(),
  rules: readonly PrincipleRule[] = [principleRule("blueprint")],
) {
  const result = resultOfPipeline({
    task,
    state: run.state,
    at: 1_790_000_000_000,
    evidence: (status) =>
      constitutionalEvidence({
        context: task.constitutionalContext,
        rules,
        facts: run.facts,
        state: run.state,
        status,
        proofs: ["signalbox:pipeline/pl-1"],
      }),
  });
  // SAP-22
  expect(ResultSchema.parse(result)).toEqual(result);
  return result;
}

test("SAP-20 a status for every standing of a pipeline", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"], required: false })]);
  expect(sapStatusOf(run.state)).toBe("QUEUED");
  expect(sapStatusOf(run.pause().state)).toBe("QUEUED");
  expect(sapStatusOf(run.resume().send("a").state)).toBe("RUNNING");
  expect(sapStatusOf(run.pause().state)).toBe("RUNNING");
  run.resume().report("a", { judgement: verdicts.ask });
  expect(sapStatusOf(run.state)).toBe("ESCALATED");
  run.resolve("a", { option: "advance" });
  expect(sapStatusOf(run.state)).toBe("RUNNING");
  expect(sapStatusOf(run.finish("b").state)).toBe("SUCCEEDED");
  expect(sapStatusOf({ ...run.state, status: PipelineStatus.ABORTED })).toBe("CANCELLED");
});

test("SAP-20 left out is PARTIAL; a branch that was not taken is not", () => {
  const skipped = new Run([stage("a"), stage("b", { required: false })], {
    strategy: FailureStrategy.SKIP_FAILED,
  });
  skipped.fail("b").finish("a");
  expect(sapStatusOf(skipped.state)).toBe("PARTIAL");
  expect(resultOf(skipped).nextActions).toMatchObject([
    { action: "submit_task", target: { capability: "b-work" }, payload: { stageId: "b" } },
  ]);
  const branched = new Run([
    stage("a", { edges: { b: 'response.status == "failure"' } }),
    stage("b", { dependsOn: ["a"], required: false }),
  ]);
  branched.finish("a");
  expect(branched.stages).toEqual({ a: "COMPLETED", b: "SKIPPED" });
  expect(sapStatusOf(branched.state)).toBe("SUCCEEDED");
});

test("SAP-21 nothing follows what is final, and a pipeline only ever goes where it may", () => {
  expect(
    Object.keys(followingStatuses).filter((status) => isFinal(status as keyof typeof followingStatuses)),
  ).toEqual(["SUCCEEDED", "FAILED", "CANCELLED", "PARTIAL"]);
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  const seen = [sapStatusOf(run.state)];
  const step = (go: () => unknown) => {
    go();
    const next = sapStatusOf(run.state);
    if (next !== seen.at(-1)) seen.push(next);
  };
  step(() => run.send("a"));
  step(() => run.report("a", { judgement: verdicts.retry }));
  step(() => run.send("a").report("a", { judgement: verdicts.clarify }));
  step(() => run.resolve("a", { option: "answer", answer: "the first" }));
  step(() => run.finish("a"));
  expect(seen).toEqual(["QUEUED", "RUNNING", "ESCALATED", "RUNNING", "SUCCEEDED"]);
  for (const [index, status] of seen.slice(1).entries())
    expect(followingStatuses[seen[index] ?? "QUEUED"]).toContain(status);
});

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

test("SAP-23 the output is the last stage's, by the contract; of several each by its id", () => {
  const one = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  one.send("a").report("a", answered({ first: true }));
  one.send("b").report("b", answered({ sections: 3 }, "three sections"));
  expect(resultOf(one).output).toEqual({ sections: 3 });
  expect(resultOf(one, sapTask({ outputContract: { format: "markdown" } })).output).toBe("three sections");
  const two = new Run([stage("a"), stage("b")]);
  two.send("a").report("a", answered({ n: 1 }));
  two.send("b").report("b", answered({ n: 2 }));
  expect(resultOf(two).output).toEqual({ a: { n: 1 }, b: { n: 2 } });
});

test("SAP-23 where the last stages were left out or failed, the output is that of the last ones that were done", () => {
  const strategy = FailureStrategy.SKIP_FAILED;
  const optional = { required: false, maxAttempts: 1 };
  const contract = { outputContract: { schema: { type: "object", required: ["draft"] } } };
  const drafted = (...after: Parameters<typeof stage>[]) => {
    const run = new Run([stage("a"), ...after.map((one) => stage(...one))], { strategy });
    return run.send("a").report("a", answered({ draft: 1 }));
  };
  const one = drafted(["b", { ...optional, dependsOn: ["a"] }]);
  expect(resultOf(one)).not.toHaveProperty("output");
  expect(resultOf(one.fail("b"), sapTask(contract))).toMatchObject({
    status: "PARTIAL",
    output: { draft: 1 },
    nextActions: [{ payload: { stageId: "b" } }],
  });
  const chain = drafted(
    ["b", { ...optional, dependsOn: ["a"] }],
    ["c", { ...optional, dependsOn: ["b"] }],
    ["d", { ...optional, dependsOn: ["a", "c"] }],
  );
  expect(resultOf(chain.fail("b").fail("c").fail("d")).output).toEqual({ draft: 1 });
  const between = drafted(["b", { ...optional, dependsOn: ["a"] }], ["c", { dependsOn: ["b"] }]).fail("b");
  between.send("c").report("c", answered({ final: true }));
  expect(resultOf(between)).toMatchObject({ status: "PARTIAL", output: { final: true } });
  const handled = new Run(
    [
      stage("a", { edges: { b: "" } }),
      stage("b", { maxAttempts: 1, edges: { h: 'response.status == "failure"' } }),
      stage("h", optional),
    ],
    { strategy },
  );
  handled
    .send("a")
    .report("a", answered({ draft: 1 }))
    .fail("b")
    .fail("h");
  expect(handled.stages).toEqual({ a: "COMPLETED", b: "FAILED", h: "SKIPPED" });
  expect(resultOf(handled)).toMatchObject({ status: "PARTIAL", output: { draft: 1 } });
  const nothing = new Run([stage("a", optional)], { strategy }).fail("a");
  expect(resultOf(nothing, sapTask(contract)).error).toEqual({
    code: "UNPROCESSABLE",
    message: expect.stringMatching(/^No stage gave an output; stage "a" was left out: .*not retryable$/),
  });
});

test("SAP-23 an output that does not meet its contract is no output", () => {
  const run = new Run([stage("a")]);
  run.send("a").report("a", answered({ sections: "many" }));
  const contract = { schema: { type: "object", properties: { sections: { type: "number" } } } };
  const result = resultOf(run, sapTask({ outputContract: contract }));
  expect(result).toMatchObject({
    status: "FAILED",
    error: { code: "UNPROCESSABLE", message: expect.stringContaining("sections") },
  });
  expect(result).not.toHaveProperty("output");
});

const failing = (end: (run: Run) => unknown) => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  end(run);
  return resultOf(run).error;
};

test("SAP-24 FAILED says what failed, by a code of section 8", () => {
  expect(failing((run) => run.fail("a"))).toMatchObject({
    code: "INTERNAL",
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

test("SAP-25 another question is reported, though the status is the same", () => {
  const run = new Run([stage("a"), stage("b")]).send("a", "b").report("a", { judgement: verdicts.ask });
  const asked = run.state;
  expect(sapStandingMoved(asked, run.report("b", { judgement: verdicts.ask }).state)).toBe(true);
  const both = run.state;
  expect([sapStatusOf(both), sapStandingMoved(both, both)]).toEqual(["ESCALATED", false]);
  run.resolve("a", { option: "retry", instructions: "again" });
  const retried = run.state;
  run.send("a");
  expect(sapStandingMoved(retried, run.state)).toBe(false);
  run.report("a", { judgement: verdicts.ask });
  expect(sapStatusOf(run.state)).toBe("ESCALATED");
  expect(resultOf(run).nextActions?.map(({ escalationId }) => escalationId)).toEqual(["pl-1-e2", "pl-1-e3"]);
  expect(sapStandingMoved({ ...both, status: run.state.status }, run.state)).toBe(true);
});

const answerFailed = (run: Run, failureCode: string) => {
  const event = run.send("a").reportEvent("a", { outcome: Outcome.NON_RETRYABLE_FAILURE, judgement: null });
  const status = Object.assign(event.result.status ?? {}, { failureCode }) as NonNullable<
    typeof event.result.status
  >;
  const guarding = { name: "no-promises", effect: "fail" } as const;
  return run.apply({
    ...event,
    result: { ...event.result, status },
    ...(failureCode === "SACP_GUARDRAIL" && { guardrails: [guarding] }),
  });
};

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

test("SAP-34 what a guardrail failed stands high and is NON_CONSTITUTIONAL, until a later attempt is judged", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  expect(resultOf(answerFailed(run, "SACP_GUARDRAIL"))).toMatchObject({
    status: "FAILED",
    error: { code: "NON_CONSTITUTIONAL", message: expect.stringContaining("no-promises") },
    constitutionalEvidence: {
      alignment: "NON_CONSTITUTIONAL",
      violations: [
        {
          principle: "no-promises",
          severity: "high",
          evidence: expect.stringContaining('attempt 1, stage "a": Guardrail'),
        },
      ],
    },
  });
  const mended = answerFailed(new Run([stage("a")]), "SACP_GUARDRAIL");
  mended.resolve("a", { option: "retry", instructions: "promise nothing" }).finish("a");
  expect(resultOf(mended)).toMatchObject({
    status: "SUCCEEDED",
    constitutionalEvidence: { alignment: "VALID", violations: [{ severity: "low" }] },
  });
});

const handledRun = (end: (run: Run) => unknown) => {
  const run = new Run([
    stage("a", { maxAttempts: 1, edges: { b: "", ...onFailure } }),
    stage("b"),
    stage("h"),
  ]);
  end(run);
  run.send("h").report("h", answered({ sorry: true }));
  return [resultOf(run), isWhole(run.state)] as const;
};

test("SAP-36 a failure that the template handles is a violation, and the Result is none to be given to others", () => {
  const [result, whole] = handledRun((run) => run.fail("a"));
  expect(result).toMatchObject({
    status: "SUCCEEDED",
    output: { sorry: true },
    constitutionalEvidence: {
      alignment: "VALID",
      violations: [
        {
          severity: "medium",
          evidence: expect.stringMatching(
            /^attempt 1, stage "a" failed, and "h" answered for it: .*CODE: why/,
          ),
        },
      ],
    },
  });
  expect(whole).toBe(false);
  const [refused] = handledRun((run) => run.send("a").report("a", { judgement: verdicts.fail }));
  expect(refused.constitutionalEvidence).toMatchObject({
    alignment: "NON_CONSTITUTIONAL",
    violations: [{ principle: "blueprint", severity: "high" }, { severity: "medium" }],
  });
});

const branched = () => new Run([stage("a", { edges: { b: "", ...onFailure } }), stage("b"), stage("h")]);

test("SAP-45 whole is what was done on the way that was taken, and all of it", () => {
  const edges = { b: "response.data.score > 0.8" };
  expect(isWhole(branched().state)).toBe(false);
  expect(isWhole(branched().finish("a", "b").state)).toBe(true);
  const short = new Run([stage("a", { edges }), stage("b")]).send("a");
  expect(isWhole(short.report("a", answered({ score: 0.5 })).state)).toBe(false);
  const part = new Run([stage("a")]).send("a");
  part.report("a", { outcome: Outcome.PARTIAL, judgement: verdicts.ask }).resolve("a", { option: "advance" });
  expect([sapStatusOf(part.state), isWhole(part.state)]).toEqual(["SUCCEEDED", false]);
  const skipped = new Run([stage("a", { required: false })], { strategy: FailureStrategy.SKIP_FAILED });
  expect(isWhole(skipped.fail("a").state)).toBe(false);
});

const withheld = (judgement: (typeof verdicts)["advance"] | (typeof verdicts)["ask"]) => {
  const run = new Run([stage("a")]).send("a");
  const guarding = { name: "quiet", effect: "redact_message" } as const;
  return run.apply({ ...run.reportEvent("a", { judgement }), guardrails: [guarding] });
};

test("SAP-34 a message that a guardrail withheld is mended by that, and medium where a person passed the work", () => {
  expect(resultOf(withheld(verdicts.advance)).constitutionalEvidence).toMatchObject({
    alignment: "VALID",
    violations: [{ principle: "quiet", severity: "low" }],
  });
  const passed = withheld(verdicts.ask).resolve("a", { option: "advance" });
  expect(resultOf(passed).constitutionalEvidence.violations).toMatchObject([{ severity: "medium" }]);
});

const evidenceOf = (
  run: Run,
  rules?: readonly PrincipleRule[],
  context?: Partial<Task["constitutionalContext"]>,
) => resultOf(run, sapTask({}, context), rules).constitutionalEvidence;

test("SAP-30 a principle is judged by the checks that the policy names for it", () => {
  const run = new Run([stage("a")]).finish("a");
  const rules = [principleRule("blueprint"), principleRule("calm", { checks: ["safety"] })];
  expect(evidenceOf(run, rules, { principles: ["blueprint", "calm"] }).policyChecks).toEqual([
    { principle: "blueprint", status: "PASS", notes: 'tests at stage "a": all green', checks: ["tests"] },
    { principle: "calm", status: "NOT_JUDGED", notes: "no gate has judged this work" },
  ]);
  const failed = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  failed.send("a").report("a", { judgement: verdicts.fail });
  expect(evidenceOf(failed).policyChecks).toMatchObject([{ principle: "blueprint", status: "FAIL" }]);
});

const halfDone = {
  checks: [{ gateName: "tests", passed: false, evidence: "1 of 9 failed" }],
  tier: "NORMAL",
};
const isItEnough = { verdict: "ask", gate: halfDone, problem: "Enough?", recommended: "retry" } as const;

test("SAP-30 a principle that the policy does not name is not judged, whatever was checked", () => {
  const failed = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  failed.send("a").report("a", { judgement: verdicts.fail });
  const unnamed = { principles: ["kindness"], pressure: { Blueprint: 12 } };
  const notes = 'the policy names no principle "kindness": nothing that was checked testifies to it';
  for (const run of [new Run([stage("a")]).finish("a"), failed])
    expect(evidenceOf(run, undefined, unnamed).policyChecks).toEqual([
      { principle: "kindness", status: "NOT_JUDGED", notes },
      { principle: "Blueprint", status: "NOT_JUDGED", notes: notes.replace("kindness", "Blueprint") },
    ]);
  expect(evidenceOf(failed, undefined, unnamed)).toMatchObject({
    alignment: "NON_CONSTITUTIONAL",
    violations: [{ severity: "high", evidence: expect.stringContaining("1 of 9 failed") }],
  });
});

test("SAP-30 SAP-31 what a person let pass says so, and stays a violation", () => {
  const run = new Run([stage("a")]).send("a").report("a", { judgement: isItEnough });
  run.resolve("a", { option: "advance" });
  expect(evidenceOf(run)).toMatchObject({
    alignment: "VALID",
    policyChecks: [{ status: "OVERRULED", notes: expect.stringContaining("let pass by approver") }],
    violations: [{ principle: "blueprint", severity: "medium" }],
  });
});

test("SAP-30 SAP-37 while a person is asked, the checks that were made are told, and that they are", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  expect(evidenceOf(run.send("a")).policyChecks).toEqual([
    { principle: "blueprint", status: "NOT_JUDGED", notes: "no gate has judged this work" },
  ]);
  expect(evidenceOf(run.report("a", { judgement: verdicts.ask }))).toMatchObject({
    alignment: "ESCALATE",
    policyChecks: [
      {
        principle: "blueprint",
        status: "PASS",
        notes: 'a person is asked (pl-1-e1): tests at stage "a": all green',
        checks: ["tests"],
      },
    ],
  });
  run.resolve("a", { option: "advance" });
  expect(evidenceOf(run).policyChecks).toMatchObject([
    { status: "PASS", notes: 'tests at stage "a": all green' },
  ]);
  run.send("b").report("b", { judgement: verdicts.clarify });
  expect(evidenceOf(run)).toMatchObject({ alignment: "ESCALATE", policyChecks: [{ status: "PASS" }] });
  const unclear = new Run([stage("a")]).send("a").report("a", { judgement: verdicts.clarify });
  expect(evidenceOf(unclear).policyChecks).toMatchObject([
    { status: "NOT_JUDGED", notes: "a person is asked (pl-1-e1): no gate has judged this work" },
  ]);
});

const askedRun = () => new Run([stage("a")]).send("a").report("a", { judgement: isItEnough });

test("SAP-31 SAP-37 a check that failed before a person was asked is a violation, whatever they answer", () => {
  expect(evidenceOf(askedRun())).toMatchObject({
    alignment: "ESCALATE",
    policyChecks: [{ status: "FAIL", notes: expect.stringMatching(/^a person is asked \(pl-1-e1\): tests/) }],
    violations: [{ principle: "blueprint", severity: "high" }],
  });
  expect(evidenceOf(askedRun().resolve("a", { option: "advance" })).violations).toMatchObject([
    { principle: "blueprint", severity: "medium" },
  ]);
  const mended = askedRun().resolve("a", { option: "retry", instructions: "again" }).finish("a");
  expect(evidenceOf(mended)).toMatchObject({
    alignment: "VALID",
    policyChecks: [{ status: "PASS" }],
    violations: [{ principle: "blueprint", severity: "low" }],
  });
  expect(evidenceOf(askedRun().resolve("a", { option: "abort" }))).toMatchObject({
    alignment: "NON_CONSTITUTIONAL",
    policyChecks: [{ status: "FAIL", notes: 'tests at stage "a": 1 of 9 failed' }],
  });
});

test("SAP-31 what was found of a stage that a later way passed by stands no more", () => {
  const onward = { b: "response.data.risky == true", c: "response.data.risky == false" };
  const run = new Run([stage("a", { edges: onward }), stage("b"), stage("c")]).send("a");
  run
    .report("a", answered({ risky: true }))
    .send("b")
    .report("b", { judgement: verdicts.rejectTo("a") });
  run
    .send("a")
    .report("a", answered({ risky: false }))
    .finish("c");
  expect(run.stages).toEqual({ a: "COMPLETED", b: "SKIPPED", c: "COMPLETED" });
  expect(evidenceOf(run)).toMatchObject({
    alignment: "VALID",
    policyChecks: [{ status: "PASS" }],
    violations: [{ severity: "low" }],
  });
});

test("SAP-31 what a later attempt mended is a low violation; what stands is a high one", () => {
  const run = new Run([stage("a", { maxAttempts: 2 })]);
  run.send("a").report("a", { judgement: verdicts.retry });
  run.finish("a");
  expect(evidenceOf(run)).toMatchObject({
    alignment: "VALID",
    policyChecks: [{ status: "PASS" }],
    violations: [
      { principle: "blueprint", severity: "low", evidence: 'attempt 1, tests at stage "a": 1 of 9 failed' },
    ],
  });
  expect(evidenceOf(run, [principleRule("blueprint", { checks: ["scope"] })]).violations).toEqual([
    expect.not.objectContaining({ principle: expect.anything() }),
  ]);
});

test("SAP-31 what no later attempt mended is as high as the last one leaves it", () => {
  const twice = new Run([stage("a", { maxAttempts: 2 })], { strategy: FailureStrategy.FAIL_FAST });
  twice.send("a").report("a", { judgement: verdicts.retry });
  twice.send("a").report("a", { judgement: verdicts.fail });
  expect(evidenceOf(twice).violations).toMatchObject([{ severity: "high" }, { severity: "high" }]);
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

test("SAP-24 what somebody aborted says a code of section 8 too", () => {
  const run = new Run([stage("a")]).apply({ kind: "abort", by: { type: "human", id: "x" }, note: "" });
  expect(resultOf(run)).toMatchObject({ status: "CANCELLED", error: { code: "UNPROCESSABLE" } });
});

test("SAP-32 alignment: asked, broken, or valid", () => {
  const asked = new Run([stage("a")]).send("a").report("a", { judgement: verdicts.ask });
  expect(evidenceOf(asked).alignment).toBe("ESCALATE");
  const broken = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  expect(evidenceOf(broken.send("a")).alignment).toBe("VALID");
  expect(evidenceOf(broken.report("a", { judgement: verdicts.fail })).alignment).toBe("NON_CONSTITUTIONAL");
  const failed = new Run([stage("a", { maxAttempts: 1 })], { strategy: FailureStrategy.FAIL_FAST });
  expect(evidenceOf(failed.fail("a", Outcome.NON_RETRYABLE_FAILURE)).alignment).toBe("VALID");
});

test("SAP-33 readings are the task's, citations what it was given and where the proof is", () => {
  const run = new Run([stage("a")]).finish("a");
  const found = evidenceOf(run, [], {
    pressure: { calm: 12.5 },
    references: ["ubos://books", "ubos://books"],
  });
  expect(found.pressureReadings).toEqual({ calm: 12.5 });
  expect(found.citations).toEqual(["ubos://books", "signalbox:pipeline/pl-1"]);
  expect(found.policyChecks?.map(({ principle }) => principle)).toEqual(["blueprint", "calm"]);
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

test("SAP-23 SACP-34 where no way led on, the output is what was done last, and the Result says why it ends there", () => {
  const run = new Run([stage("a", { edges: { b: "response.data.score > 0.8" } }), stage("b")]);
  expect(resultOf(run.send("a").report("a", answered({ score: 0.5 })))).toMatchObject({
    status: "SUCCEEDED",
    output: { score: 0.5 },
    meta: { noWayOn: [{ stageId: "a", because: 'not to "b" (response.data.score > 0.8)' }] },
  });
  const handler = new Run([stage("a", { edges: { h: 'response.status == "failure"' } }), stage("h")]);
  const result = resultOf(handler.send("a").report("a", answered({ fine: true })));
  expect(result.output).toEqual({ fine: true });
  expect(result.meta).not.toHaveProperty("noWayOn");
});
