import { Outcome } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { gateOfAttempt } from "./attempt-record.ts";
import { auditEntryJson, factOf } from "./entry-json.ts";
import { throughText } from "./testing/stored.ts";

const context = { tenantId: "tenant", pipelineId: "pl-1", traceId: "trace", schemaVersion: "1.0.0" };

/** The facts of one attempt, as they are read back from their entries. */
const recorded = (run: Run, stageId: string, attemptNumber: number) =>
  run.facts
    .map((fact) => factOf(throughText(auditEntryJson(fact, context))))
    .filter((fact) => fact.stageId === stageId && fact.attemptNumber === attemptNumber)
    .map((fact, index) => ({ fact, recordedAt: `2026-02-21T09:30:0${index}.000Z` }));
const gateOf = (run: Run, stageId = "a", attemptNumber = 1) =>
  gateOfAttempt(recorded(run, stageId, attemptNumber));

const one = () => new Run([stage("a")]).send("a");

describe("REC-11 what the gate said of an attempt", () => {
  test("is nothing before a result has come", () => {
    expect(gateOf(one())).toBeNull();
  });

  test("is every check with its evidence, and who let it through", () => {
    expect(gateOf(one().report("a"))).toMatchObject({
      standing: "passed",
      decidedBy: { type: "orchestrator" },
      gate: { checks: [{ gateName: "tests", passed: true, evidence: "all green" }], tier: "LOW" },
    });
  });

  test("stays with the attempt that failed when the next one passes", () => {
    const run = one().report("a", { judgement: verdicts.retry }).send("a").report("a");
    expect(gateOf(run)).toMatchObject({
      standing: "failed",
      gate: { passed: false, rejectReason: "a test fails", checks: [{ passed: false }, { passed: true }] },
    });
    expect(gateOf(run, "a", 2)).toMatchObject({ standing: "passed" });
  });

  test("stands while a person is asked, and is the person's once they let it through", () => {
    const run = one().report("a", { outcome: Outcome.PARTIAL, judgement: verdicts.ask });
    expect(gateOf(run)).toMatchObject({ standing: "asked", gate: { checks: [{ gateName: "tests" }] } });
    run.resolve("a", { option: "advance" });
    expect(gateOf(run)).toMatchObject({
      standing: "passed-by-person",
      decidedBy: { type: "human" },
      rationale: expect.stringContaining("because"),
      gate: { checks: [{ gateName: "tests" }] },
    });
  });

  test("is a rejection where the work went back to an earlier stage", () => {
    const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).finish("a").send("b");
    run.report("b", { judgement: verdicts.rejectTo("a") });
    expect(gateOf(run, "b")).toMatchObject({ standing: "rejected", gate: { rewindTargetStage: "a" } });
    expect(gateOf(run, "a")).toMatchObject({ standing: "passed" });
  });
});

test("REC-12 a person's rewind to a stage leaves what its own gate said", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).finish("a").send("b").rewind("a");
  expect(recorded(run, "a", 1).at(-1)?.fact.action).not.toBe("gate.passed");
  expect(gateOf(run)).toMatchObject({ standing: "passed" });
});
