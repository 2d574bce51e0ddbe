import { AuditEventType, FailureStrategy, Outcome } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const { FAIL_FAST, SKIP_FAILED, PAUSE } = FailureStrategy;

test("FAIL-1 PIPE-5 FAIL_FAST ends the pipeline, cancels what is in flight and closes what is open", () => {
  const run = new Run([stage("a"), stage("b", { required: false }), stage("c"), stage("d")], {
    strategy: FAIL_FAST,
  });
  run.refuseDispatch("c").send("a").fail("b");
  expect(run.status).toBe("FAILED");
  expect(run.stages).toEqual({ a: "FAILED", b: "FAILED", c: "PENDING", d: "PENDING" });
  expect(run.cancelled()).toEqual(["d1"]);
  expect(run.state.escalations).toEqual([]);
  expect(run.latestActions.slice(-2)).toEqual(["dispatch.cancelled", "pipeline.failed"]);
  expect(run.facts.at(-1)?.rationale).toContain('"b"');
});

test("FAIL-2 D9 SKIP_FAILED skips what may be skipped, and what waited for it goes on", () => {
  const run = new Run([stage("a", { required: false }), stage("b", { dependsOn: ["a"] })], {
    strategy: SKIP_FAILED,
  });
  run.fail("a");
  expect(run.stages).toEqual({ a: "SKIPPED", b: "READY" });
  expect(run.stage("a").skipReason).toContain("CODE");
  run.finish("b");
  expect(run.status).toBe("COMPLETED");
});

test("FAIL-2 SKIP-1 SKIP_FAILED asks about a required stage, and about any where all are required", () => {
  const required = new Run([stage("a")], { strategy: SKIP_FAILED }).fail("a");
  expect([required.status, required.stages]).toEqual(["PAUSED", { a: "FAILED" }]);
  expect(required.question("a").options).not.toContain("skip");
  const all = new Run([stage("a", { required: false })], {
    strategy: SKIP_FAILED,
    requireAllStages: true,
  }).fail("a");
  expect([all.status, all.stages]).toEqual(["PAUSED", { a: "FAILED" }]);
});

test("FAIL-3 PAUSE asks about the stage while other branches go on", () => {
  const run = new Run([stage("a"), stage("b"), stage("c", { dependsOn: ["b"] })], { strategy: PAUSE });
  run.fail("a").finish("b");
  expect([run.status, run.stages]).toEqual(["RUNNING", { a: "FAILED", b: "COMPLETED", c: "READY" }]);
  run.finish("c");
  expect([run.status, run.state.pause?.reason]).toEqual(["PAUSED", "waiting"]);
});

test("FAIL-4 a failure while paused fails the pipeline on resume", () => {
  const run = new Run([stage("a")], { strategy: FAIL_FAST });
  run.send("a").pause().report("a", { outcome: Outcome.NON_RETRYABLE_FAILURE, judgement: null });
  expect([run.status, run.stages]).toEqual(["PAUSED", { a: "FAILED" }]);
  run.resume();
  expect(run.status).toBe("FAILED");
  expect(run.latestActions).toEqual(["pipeline.resumed", "pipeline.failed"]);
});

test("FAIL-4 a failure while paused is mended by a rewind before the resume", () => {
  const run = new Run([stage("a")], { strategy: FAIL_FAST });
  run.send("a").pause().report("a", { outcome: Outcome.NON_RETRYABLE_FAILURE, judgement: null });
  run.rewind("a").resume();
  expect([run.status, run.stages]).toEqual(["RUNNING", { a: "READY" }]);
});

test("PIPE-6 the entry of a completion has total time, stages completed and skipped, and the risks", () => {
  const run = new Run([stage("a"), stage("b", { required: false })], { strategy: SKIP_FAILED });
  run.fail("b").send("a");
  run.now = 700;
  run.report("a", { init: { contextOut: { risksIdentified: ["slow", "slow", "odd"] } } });
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.PIPELINE_COMPLETED,
    snapshot: {
      case: "pipeline",
      value: { totalMs: 700, stagesCompleted: 1, stagesSkipped: 1, risks: ["slow", "odd"] },
    },
  });
});
