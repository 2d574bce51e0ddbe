import { AuditEventType, FailureStrategy, Outcome, StageStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

/** a → b → d, a → c → d, and e by itself. */
const diamond = () => [
  stage("a"),
  stage("b", { dependsOn: ["a"] }),
  stage("c", { dependsOn: ["a"] }),
  stage("d", { dependsOn: ["b", "c"] }),
  stage("e"),
];

test("REWIND-1 D13 only the target and what waits for it start afresh; parallel branches keep their results", () => {
  const run = new Run(diamond()).finish("a", "b", "c", "e").send("d");
  const { c, e } = { c: run.stage("c"), e: run.stage("e") };
  run.report("d", { judgement: verdicts.rejectTo("b") });
  expect(run.stages).toEqual({ a: "COMPLETED", b: "READY", c: "COMPLETED", d: "PENDING", e: "COMPLETED" });
  expect(run.stage("c")).toBe(c);
  expect(run.stage("e")).toBe(e);
  expect(run.stage("d")).toMatchObject({ result: null, dispatch: null, hold: null, attemptNumber: 1 });
});

test("REWIND-2 VERDICT-4 the target passes REJECTED, and its next attempt has evidence, instructions and what was tried", () => {
  const run = new Run(diamond()).finish("e").send("a");
  run.report("a", { init: { contextOut: { assumptionsMade: ["it is small"] } } });
  const judged = run.finish("b").send("c").fence("c");
  run.report("c", { judgement: verdicts.rejectTo("a") });
  expect(
    run.latest.filter((effect) => effect.kind === "stage-transition" && effect.stageId === "a"),
  ).toMatchObject([
    { from: StageStatus.COMPLETED, to: StageStatus.REJECTED },
    { from: StageStatus.REJECTED, to: StageStatus.READY, attemptNumber: 2 },
  ]);
  expect(run.stage("a")).toMatchObject({
    attemptNumber: 2,
    retriesUsed: 0,
    priorContextOut: { assumptionsMade: ["it is small"] },
    feedback: [
      {
        kind: "rejection",
        fromAttempt: 1,
        text: "do it otherwise",
        failedChecks: [{ gateName: "tests", evidence: "1 of 9 failed" }],
      },
    ],
  });
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.GATE_REJECTED,
    action: "gate.rejected",
    ...judged,
    snapshot: { case: "gate", value: { rewindTargetStage: "a", rejectReason: "the cause is in a" } },
  });
});

test("REWIND-3 D6 what is in flight among the reset is cancelled and fenced; what is not goes on", () => {
  const run = new Run(diamond()).finish("a").send("b", "c", "e");
  const fence = run.fence("c");
  run.report("b", { judgement: verdicts.rejectTo("a") });
  expect(run.cancelled()).toEqual([fence.dispatchId]);
  expect(run.facts.find(({ action }) => action === "dispatch.cancelled")).toMatchObject({
    stageId: "c",
    dispatchId: fence.dispatchId,
  });
  expect(run.stages).toMatchObject({ b: "PENDING", c: "PENDING", e: "DISPATCHED" });
  expect(run.refusal(run.reportEvent("c", { fence }))).toMatchObject({
    reason: "stale-dispatch",
    current: null,
  });
});

test("REWIND-4 ESC-5 questions about reset stages are superseded; the others stay open", () => {
  const run = new Run(diamond()).finish("a").refuseDispatch("b").refuseDispatch("e");
  run.rewind("a");
  expect(run.latest).toContainEqual({
    kind: "close-escalation",
    escalationId: "pl-1-e1",
    end: { kind: "superseded", why: "rewound" },
  });
  expect(run.state.escalations.map(({ stageId }) => stageId)).toEqual(["e"]);
  expect(run.stages).toMatchObject({ a: "READY", b: "PENDING", e: "READY" });
});

test("REWIND-5 a person's rewind costs no rejection and bears their name", () => {
  const run = new Run(diamond(), { maxRejections: 0 }).finish("a").rewind("a", "look again");
  expect(run.state.rejectionsUsed).toBe(0);
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.STAGE_REWOUND,
    action: "stage.rewound-by-person",
    actor: { id: "approver" },
  });
  expect(run.stage("a").feedback).toMatchObject([{ text: "look again", by: { id: "approver" } }]);
});

test("REWIND-6 a verdict goes back to its own stage or upstream, and nowhere else", () => {
  const run = new Run(diamond()).finish("a").send("b");
  const refused = (target: string) =>
    run.refusal(run.reportEvent("b", { judgement: verdicts.rejectTo(target) }));
  expect(refused("c")).toEqual({
    reason: "target-not-upstream",
    stageId: "b",
    targetStageId: "c",
    allowed: ["a", "b"],
  });
  expect(refused("d")).toMatchObject({ reason: "target-not-upstream" });
  expect(refused("nowhere")).toEqual({ reason: "unknown-stage", stageId: "nowhere", allowed: ["a", "b"] });
  expect(run.report("b", { judgement: verdicts.rejectTo("b") }).stages).toMatchObject({ b: "READY" });
});

test("REWIND-6 a person rewinds to any stage that was reached", () => {
  const run = new Run(diamond()).finish("a");
  const rewind = (stageId: string) =>
    run.refusal({ kind: "rewind", stageId, instructions: "", by: { type: "human", id: "x" } });
  expect(rewind("d")).toEqual({ reason: "stage-not-reached", stageId: "d" });
  expect(rewind("nowhere")).toEqual({
    reason: "unknown-stage",
    stageId: "nowhere",
    allowed: ["a", "b", "c", "e"],
  });
});

test("REWIND-6 a skipped stage can be gone back to", () => {
  const run = new Run([stage("a", { required: false }), stage("b", { dependsOn: ["a"] })], {
    strategy: FailureStrategy.SKIP_FAILED,
  });
  run.fail("a").send("b").rewind("a");
  expect(run.stages).toEqual({ a: "READY", b: "PENDING" });
  expect(run.stage("a").skipReason).toBeNull();
});

test("REWIND-7 the plan, and with it every contract, is the same object after a rewind", () => {
  const run = new Run(diamond()).finish("a");
  const { plan } = run.state;
  expect(run.rewind("a").state.plan).toBe(plan);
});

test("ATTEMPT-3 a rewind gives the stages their attempts anew, and the pipeline's retries never", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.fail("a", Outcome.RETRYABLE_FAILURE).finish("a");
  run
    .fail("b", Outcome.RETRYABLE_FAILURE)
    .send("b")
    .report("b", { judgement: verdicts.rejectTo("a") });
  expect([run.stage("a").retriesUsed, run.stage("b").retriesUsed, run.state.retriesUsed]).toEqual([0, 0, 2]);
  run.finish("a");
  expect(run.stage("b").attemptNumber).toBe(3);
});
