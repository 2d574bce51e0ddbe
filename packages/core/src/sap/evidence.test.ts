import { FailureStrategy, Outcome } from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import type { PrincipleRule } from "../documents/sap-section.ts";
import { isWhole } from "./status.ts";
import { answered, answerFailed, onFailure, resultOf } from "./testing/results.ts";
import { principleRule, sapTask } from "./testing/task.ts";

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
