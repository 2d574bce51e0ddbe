import { AuditEventType, Outcome, StageStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { claimsOf } from "./claim.ts";
import { decide } from "./decide.ts";
import { refusalOf } from "./events/dispatch-refused.ts";
import { approver, reporter, stage } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

test("SENT-1 the choice and the sending are two entries, and the dispatch is current", () => {
  const run = new Run([stage("a")]);
  run.send("a");
  expect(run.latestActions).toEqual(["dispatch.decided", "dispatch.sent"]);
  expect(run.facts.at(-1)).toMatchObject({
    dispatchId: "d1",
    attemptNumber: 1,
    packId: "pack",
    stageId: "a",
  });
  expect(run.stages).toEqual({ a: "DISPATCHED" });
  expect(run.dispatchOf("a")).toMatchObject({ dispatchId: "d1", attemptNumber: 1, reportedAt: null });
});

test("SENT-2 D23 a refused dispatch asks a person, and a retry goes on at the same attempt", () => {
  const run = new Run([stage("a")]);
  run.refuseDispatch("a");
  expect(run.latestActions).toEqual(["dispatch.refused", "escalation.opened", "pipeline.paused-on-people"]);
  expect(run.stages).toEqual({ a: "READY" });
  expect(run.question("a")).toMatchObject({ cause: "dispatch-refused", options: ["retry", "abort"] });
  run.resolve("a", { option: "retry", instructions: "" });
  expect([run.status, run.stage("a").attemptNumber, run.state.retriesUsed]).toEqual(["RUNNING", 1, 0]);
  expect(run.woken()).toEqual(["a"]);
});

test("SENT-2 the fact of a refusal names its reason apart from its words", () => {
  const run = new Run([stage("a")]).refuseDispatch("a");
  const reasons = run.facts.map((fact) => refusalOf(fact));
  expect(reasons.filter((reason) => reason !== undefined)).toEqual(["no-route"]);
  const refused = run.facts.find(({ action }) => action === "dispatch.refused");
  expect(refused).toMatchObject({ snapshot: { value: { refusal: "no-route", selectedPackId: "" } } });
  expect(refusalOf({ ...refused, snapshot: { case: "dispatch", value: {} } })).toBeUndefined();
});

test("SENT-3 ATTEMPT-4 a transport failure backs off, and tells the agent to stop", () => {
  const run = new Run([stage("a", { backoffMs: 500, maxAttempts: 4 })]);
  run.send("a").apply(run.lostEvent("a"));
  expect(run.cancelled()).toEqual(["d1"]);
  expect(run.stage("a")).toMatchObject({ notBefore: 500, attemptNumber: 2 });
  run.now = 500;
  run.send("a").apply(run.lostEvent("a"));
  expect(run.stage("a").notBefore).toBe(1_500);
});

test("SENT-9 D6 what nobody took costs no retry and is fenced, until it was lost as often as a stage may be tried", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })], { maxTotalRetries: 1 });
  const fence = run.send("a").fence("a");
  run.apply(run.lostEvent("a"));
  expect(run.facts.at(-1)?.rationale).toMatch(/; sent again$/);
  expect(run.refusal(run.reportEvent("a", { fence }))).toMatchObject({ reason: "stale-dispatch" });
  run.send("a").apply(run.lostEvent("a"));
  expect([run.stage("a").retriesUsed, run.state.retriesUsed]).toEqual([0, 0]);
  expect(run.stage("a")).toMatchObject({ attemptNumber: 3, sendsLost: 2 });
  run.send("a").apply(run.lostEvent("a"));
  expect(run.stage("a")).toMatchObject({ attemptNumber: 4, retriesUsed: 1, sendsLost: 0 });
  run.send("a").apply(run.lostEvent("a")).send("a").apply(run.lostEvent("a")).send("a");
  run.apply(run.lostEvent("a"));
  expect([run.stages, run.state.retriesUsed]).toEqual([{ a: "FAILED" }, 1]);
  expect(run.stage("a").failure?.code).toBe("TRANSPORT_FAILED");
});

test("SENT-9 an attempt that somebody had begins the count anew", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]);
  run.send("a").apply(run.lostEvent("a")).send("a");
  run.apply({ kind: "lease-lost", ...run.fence("a"), leaseExpiredAt: 0 });
  expect(run.stage("a")).toMatchObject({ sendsLost: 0, retriesUsed: 1 });
});

const handedBack = {
  outcome: Outcome.RETRYABLE_FAILURE,
  judgement: null,
  init: {
    status: { outcome: Outcome.RETRYABLE_FAILURE, failureCode: "INSTANCE_STOPPED", failureReason: "stopped" },
    contextOut: { risksIdentified: ["half of it is done"] },
  },
};

test("SENT-11 what a stopping instance hands back costs no retry, and its next attempt begins with what it left", () => {
  const run = new Run([stage("a", { maxAttempts: 2, backoffMs: 500 })], { maxTotalRetries: 1 });
  const fence = run.send("a").fence("a");
  run.report("a", handedBack);
  expect(run.facts.at(-1)).toMatchObject({
    action: "stage.retried",
    rationale: "The agent failed, INSTANCE_STOPPED: stopped; sent again",
  });
  expect(run.stage("a")).toMatchObject({
    status: StageStatus.READY,
    attemptNumber: 2,
    retriesUsed: 0,
    sendsLost: 1,
    notBefore: 500,
    result: null,
    feedback: [],
    priorContextOut: { risksIdentified: ["half of it is done"] },
  });
  expect([run.state.retriesUsed, run.cancelled()]).toEqual([0, []]);
  expect(run.refusal(run.reportEvent("a", { fence }))).toMatchObject({ reason: "stale-dispatch" });
});

test("SENT-11 a stage that is tried once is handed back three times in a row; the fourth is a failure like others", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })]);
  for (let time = 1; time <= 3; time += 1) run.send("a").report("a", handedBack);
  expect(run.stage("a")).toMatchObject({ attemptNumber: 4, sendsLost: 3 });
  run.send("a").report("a", handedBack);
  expect(run.stage("a").failure?.reason).toContain("the stage has no attempt left");
});

test("SENT-11 a failure for good is none that was handed back, whatever it is called", () => {
  const run = new Run([stage("a")]);
  const forGood = { ...handedBack.init.status, outcome: Outcome.NON_RETRYABLE_FAILURE };
  run.send("a").report("a", { ...handedBack, init: { status: forGood } });
  expect(run.stages).toEqual({ a: "FAILED" });
});

test("SENT-4 D6 a timeout is taken only when due, cancels, fences and tries again", () => {
  const run = new Run([stage("a")]);
  run.apply(run.sendEvent("a", 100));
  const fence = run.fence("a");
  run.now = 99;
  expect(run.refusal({ kind: "dispatch-timed-out", ...fence })).toEqual({ reason: "not-due", dueAt: 100 });
  run.now = 100;
  run.apply({ kind: "dispatch-timed-out", ...fence });
  expect(run.cancelled()).toEqual(["d1"]);
  expect(run.facts.at(-1)).toMatchObject({
    eventType: AuditEventType.DISPATCH_TIMEOUT,
    snapshot: { case: "dispatch-end", value: { durationMs: 100, dueAt: 100, cancelSent: true } },
  });
  expect(run.stage("a").attemptNumber).toBe(2);
  expect(run.refusal(run.reportEvent("a", { fence }))).toEqual({
    reason: "stale-dispatch",
    stageId: "a",
    current: null,
  });
});

test("SENT-5 D8 a lost lease ends the dispatch, whatever the agent's heartbeat says", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })]);
  run.send("a").apply({ kind: "lease-lost", ...run.fence("a"), leaseExpiredAt: 40 });
  expect(run.cancelled()).toEqual(["d1"]);
  expect(run.facts.map(({ action }) => action)).toContain("dispatch.lease-lost");
  expect(run.stage("a").failure?.code).toBe("LEASE_LOST");
});

test("SENT-10 who fails without a result says why on record, and is tried again within the budgets", () => {
  const run = new Run([stage("a", { maxAttempts: 2 })]);
  run.send("a").apply({ kind: "agent-failed", ...run.fence("a"), detail: "the agent answered 500" });
  expect(run.facts.find(({ action }) => action === "dispatch.agent-failed")?.rationale).toBe(
    "pack (pack-1) failed without a result: the agent answered 500; tried again",
  );
  expect(run.stage("a").retriesUsed).toBe(1);
  run.send("a").apply({ kind: "agent-failed", ...run.fence("a"), detail: "exit 3" });
  expect(run.stage("a").failure?.code).toBe("AGENT_FAILED");
});

test("SENT-6 nothing is sent while paused, past the deadline, held, backing off or at another attempt", () => {
  const run = new Run([stage("a", { backoffMs: 50 }), stage("b")], { deadlineMs: 1_000 });
  expect(run.refusal({ ...run.sendEvent("a"), attemptNumber: 2 })).toMatchObject({ reason: "stale-attempt" });
  run.send("a").apply({ kind: "transport-failed", ...run.fence("a"), detail: "" });
  expect(run.refusal(run.sendEvent("a"))).toEqual({ reason: "not-due", dueAt: 50 });
  run.refuseDispatch("b");
  expect(run.refusal(run.sendEvent("b"))).toMatchObject({ reason: "stage-held", escalationId: "pl-1-e1" });
  run.now = 1_000;
  expect(run.refusal(run.sendEvent("a"))).toEqual({ reason: "deadline-passed" });
  run.pause();
  expect(run.refusal(run.sendEvent("a"))).toEqual({ reason: "pipeline-paused", pause: "person" });
});

test("SENT-7 a wait is recorded once, keeps its beginning, and does not wake the stage", () => {
  const run = new Run([stage("a")]);
  run.now = 10;
  run.apply(run.deferEvent("a", 60));
  expect(run.latestActions).toEqual(["dispatch.deferred"]);
  expect([run.stages, run.woken()]).toEqual([{ a: "READY" }, []]);
  run.now = 59;
  expect(run.refusal(run.deferEvent("a", 90))).toEqual({
    reason: "already-waiting",
    stageId: "a",
    until: 60,
  });
  run.apply(run.deferEvent("a", 90, "away"));
  run.now = 90;
  run.apply(run.deferEvent("a", 120, "away"));
  expect(run.stage("a").wait).toEqual({ reason: "away", since: 10, until: 120 });
  run.send("a");
  expect(run.stage("a").wait).toBeNull();
});

test("SENT-8 D24 what may be sent is listed with what a handoff made of it, and since when it waits", () => {
  const run = new Run([
    stage("a"),
    stage("b", { backoffMs: 40 }),
    stage("c"),
    stage("d", { dependsOn: ["a"] }),
  ]);
  run.send("a", "b").refuseDispatch("c");
  run.apply({ kind: "transport-failed", ...run.fence("b"), detail: "" });
  run.apply({
    kind: "handoff-requested",
    ...run.fence("a"),
    to: { taskType: "other-work", packId: "specialist" },
    contextOut: null,
    context: "",
    verdict: { allowed: true, why: "" },
  });
  run.apply(run.deferEvent("a", 100));
  const handedOn = { taskType: "other-work", onlyPackId: "specialist", waitingSince: 0 };
  expect(claimsOf(run.state, 39)).toEqual([{ stageId: "a", attemptNumber: 2, ...handedOn }]);
  expect(claimsOf(run.state, 40)[1]).toEqual({
    stageId: "b",
    attemptNumber: 2,
    taskType: "b-work",
    onlyPackId: null,
    waitingSince: null,
  });
  expect(claimsOf(run.pause().state, 40)).toEqual([]);
});

test("FENCE-1 FENCE-3 D6 a result of an earlier attempt changes nothing and is kept as stale", () => {
  const run = new Run([stage("a")]);
  const fence = run.send("a").fence("a");
  run.apply({ kind: "lease-lost", ...fence, leaseExpiredAt: 0 }).send("a");
  const late = decide(run.state, run.reportEvent("a", { fence }), run.now);
  expect(late).toMatchObject({
    kind: "refused",
    refusal: { reason: "stale-dispatch", current: { dispatchId: "d2", attemptNumber: 2 } },
    record: [
      {
        action: "result.stale",
        actor: reporter,
        dispatchId: "d1",
        attemptNumber: 1,
        changes: [],
        revision: null,
      },
    ],
  });
});

test("FENCE-1 the right dispatch with another attempt's number is stale too", () => {
  const run = new Run([stage("a")]).send("a");
  const fence = { ...run.fence("a"), attemptNumber: 2 };
  expect(run.refusal(run.reportEvent("a", { fence }))).toMatchObject({ reason: "stale-dispatch" });
});

test("FENCE-2 D6 a second report is told of the first, before and after the stage is over", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  const fence = run.send("a").fence("a");
  run.report("a");
  expect(run.refusal(run.reportEvent("a", { fence, outcome: Outcome.PARTIAL }))).toEqual({
    reason: "already-reported",
    dispatchId: "d1",
  });
  const invalid = {
    by: reporter,
    error: "",
    schemaVersionReceived: "",
    schemaVersionExpected: "",
    consecutiveInvalid: 1,
  };
  expect(run.refusal({ kind: "result-invalid", ...fence, ...invalid, quarantined: false })).toMatchObject({
    reason: "already-reported",
  });
});

test("FENCE-1 a dispatch of an unknown stage is refused", () => {
  const run = new Run([stage("a")]);
  const fence = { dispatchId: "d1", attemptNumber: 1 };
  expect(run.refusal(run.reportEvent("nowhere", { fence }))).toEqual({
    reason: "unknown-stage",
    stageId: "nowhere",
    allowed: ["a"],
  });
});

test("STAGE-4 a stage is announced when it becomes claimable, and again when its pipeline resumes", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.send("a").pause().report("a");
  expect(run.stages).toEqual({ a: "COMPLETED", b: "READY" });
  expect(run.woken()).toEqual([]);
  run.resume();
  expect(run.woken()).toEqual(["b"]);
});

test("SENT-12 who was sent a stage and gave no result is remembered, each once, until the stage starts afresh", () => {
  const run = new Run([stage("a", { maxAttempts: 9 })], { maxTotalRetries: 9 });
  const by = { packId: "pack", instanceId: "pack-1" };
  run.send("a").apply(run.lostEvent("a"));
  expect(run.stage("a").lostBy).toEqual([by]);
  run.send("a").apply(run.lostEvent("a"));
  expect(run.stage("a").lostBy).toEqual([by]);
  run.apply({ kind: "rewind", stageId: "a", instructions: "", by: approver });
  expect(run.stage("a").lostBy).toEqual([]);
});

test("SENT-12 who reported a failure lost nothing", () => {
  const run = new Run([stage("a", { maxAttempts: 3 })]).send("a");
  run.report("a", { outcome: Outcome.RETRYABLE_FAILURE, judgement: null });
  expect(run.stage("a")).toMatchObject({ status: StageStatus.READY, attemptNumber: 2, lostBy: [] });
});
