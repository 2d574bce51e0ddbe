import { FailureStrategy, Outcome } from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { EscalationOption } from "./escalation.ts";
import { approver, stage, submitter, verdicts } from "./testing/definitions.ts";
import { resolutionOf } from "./testing/model.ts";
import { Run } from "./testing/run.ts";

const asked = () =>
  new Run([stage("a"), stage("b", { dependsOn: ["a"], required: false })])
    .finish("a")
    .send("b")
    .report("b", { judgement: verdicts.ask });

test("ESC-1 a question says what is the matter, what depends on it, what may be answered, and what silence does", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).fail("a");
  expect(run.question("a")).toMatchObject({
    problem: expect.stringContaining('Stage "a" failed'),
    impact: expect.stringContaining("1 stage waits behind it"),
    options: ["retry", "rewind", "abort"],
    recommended: "retry",
    blocking: true,
    onTimeout: "stays-open",
  });
  expect(new Run([stage("a")]).fail("a").question("a").impact).toMatch(/no stage waits behind it\.$/);
  const beside = new Run([stage("a"), stage("b")]).fail("a").question("a").impact;
  expect(beside).toMatch(/behind it; other branches go on\.$/);
  const held = new Run([stage("a"), stage("b")]).send("a").pause().report("a", { judgement: verdicts.ask });
  expect(held.question("a").impact).toMatch(/no stage waits behind it\.$/);
  const second = new Run([stage("a"), stage("b", { dependsOn: ["a"] }), stage("c")]).refuseDispatch("a");
  expect(second.refuseDispatch("c").question("c").impact).toMatch(/no stage waits behind it\.$/);
  expect(run.facts.find(({ action }) => action === "escalation.opened")?.snapshot).toMatchObject({
    case: "escalation",
    value: { options: ["retry", "rewind", "abort"], blocking: true },
  });
});

test("ESC-2 parallel questions have their own ids, and an id is never used again", () => {
  const run = new Run([stage("a"), stage("b")]).refuseDispatch("a").refuseDispatch("b");
  expect(run.state.escalations.map(({ escalationId }) => escalationId)).toEqual(["pl-1-e1", "pl-1-e2"]);
  run.resolve("b", { option: "retry", instructions: "" });
  expect([run.stage("a").hold, run.stage("b").hold]).toEqual(["pl-1-e1", null]);
  expect(run.refuseDispatch("b").question("b").escalationId).toBe("pl-1-e3");
});

test("ESC-3 options follow from the cause, the stage and the quarantine", () => {
  const optional = new Run([stage("a", { required: false })]);
  expect(optional.refuseDispatch("a", { packId: "p", instanceId: "i" }).question("a")).toMatchObject({
    options: ["retry", "restore", "skip", "abort"],
    recommended: "restore",
  });
  expect(asked().question("b").options).toEqual(["advance", "retry", "rewind", "skip", "abort"]);
});

test("ESC-4 a question is answered once; the second answer is told so", () => {
  const run = new Run([stage("a"), stage("b")]).refuseDispatch("a");
  const answer = run.resolveEvent("a", { option: "retry", instructions: "" });
  run.apply(answer);
  expect(run.refusal(answer)).toEqual({ reason: "already-resolved", escalationId: "pl-1-e1" });
  for (const escalationId of ["pl-1-e2", "pl-1-e01", "pl-1-e", "other-e1"]) {
    expect(run.refusal({ ...answer, escalationId })).toEqual({
      reason: "unknown-escalation",
      escalationId,
    });
  }
});

test("ESC-5 an end closes what is open as superseded", () => {
  const run = asked().resolve("b", { option: "abort" });
  expect(run.status).toBe("ABORTED");
  const other = new Run([stage("a"), stage("b")], { strategy: FailureStrategy.FAIL_FAST })
    .refuseDispatch("a")
    .fail("b");
  expect(other.latest).toContainEqual({
    kind: "close-escalation",
    escalationId: "pl-1-e1",
    end: { kind: "superseded", why: "pipeline-ended" },
  });
});

test.each<EscalationOption>(["advance", "retry", "rewind", "skip", "abort"])(
  "ESC-6 %s is on record as just that, with who chose it",
  (option) => {
    const run = asked();
    run.resolve("b", resolutionOf(option, "a", 1));
    expect(run.facts.find(({ action }) => action.startsWith("escalation.resolved"))).toMatchObject({
      action: `escalation.resolved.${option}`,
      actor: approver,
      rationale: "because",
      snapshot: {
        case: "escalation",
        value: {
          escalationId: "pl-1-e1",
          cause: "gate",
          onTimeout: "stays-open",
          resolution: option,
          resolvedBy: "approver",
          comment: "because",
        },
      },
    });
  },
);

test("ESC-7 a person's retry is outside the budgets, and carries what the gate found", () => {
  const run = new Run([stage("a", { maxAttempts: 1 })], { maxTotalRetries: 0 });
  run.fail("a", Outcome.RETRYABLE_FAILURE).resolve("a", { option: "retry", instructions: "mind the gap" });
  expect([run.status, run.state.retriesUsed]).toEqual(["RUNNING", 0]);
  expect(run.stage("a")).toMatchObject({
    attemptNumber: 2,
    failure: null,
    feedback: [{ text: "mind the gap" }],
  });
});

test("ESC-8 D14 advancing passes the gate in the person's name, and what waited is READY", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.send("a").report("a", { judgement: verdicts.ask }).resolve("a", { option: "advance" });
  expect(run.stages).toEqual({ a: "COMPLETED", b: "READY" });
  expect(run.facts.find(({ action }) => action === "gate.passed-by-person")).toMatchObject({
    actor: approver,
    snapshot: { case: "gate", value: { passed: true, checks: [{ gateName: "tests" }] } },
  });
});

test("ESC-8 D15 nobody skips the gate of what they submitted; a stage that did not come to its gate they may", () => {
  const held = asked();
  expect(held.refusal(held.resolveEvent("b", { option: "skip" }, submitter))).toEqual({
    reason: "own-submission",
  });
  const failed = new Run([stage("a"), stage("b", { dependsOn: ["a"], required: false })]).finish("a");
  failed.refuseDispatch("b").resolve("b", { option: "skip" }, submitter);
  expect(failed.stages).toEqual({ a: "COMPLETED", b: "SKIPPED" });
});

test("ESC-6 who answers too late is told that it is answered, also where the answer ended the pipeline", () => {
  const run = asked();
  const late = run.resolveEvent("b", { option: "retry", instructions: "" });
  run.resolve("b", { option: "abort" });
  expect(run.refusal(late)).toMatchObject({ reason: "already-resolved" });
  expect(run.refusal({ ...late, escalationId: "pl-1-e99" })).toMatchObject({ reason: "unknown-escalation" });
});

test("ESC-8 D15 nobody advances what a key of theirs submitted", () => {
  const event = {
    ...asked().resolveEvent("b", { option: "advance" }),
    submittersMakers: ["key/ci/x", approver.id],
  };
  expect(asked().refusal(event)).toEqual({ reason: "own-submission" });
  expect(asked().refusal({ ...event, resolution: { option: "skip" } })).toEqual({ reason: "own-submission" });
  const others = { ...event, submittersMakers: ["somebody"] };
  expect(asked().apply(others).stages).toMatchObject({ b: "COMPLETED" });
});

test("ESC-8 D15 nobody advances what they submitted", () => {
  const run = asked();
  expect(run.refusal(run.resolveEvent("b", { option: "advance" }, submitter))).toEqual({
    reason: "own-submission",
  });
  run.resolve("b", { option: "retry", instructions: "" }, submitter);
  expect(run.stages).toMatchObject({ b: "READY" });
});

const refusedForRefs = (accepting?: "possible" | "recommended") =>
  new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).finish("a").apply({
    kind: "dispatch-refused",
    stageId: "b",
    attemptNumber: 1,
    reason: "stale-refs",
    problem: "out.ts is too old",
    decision: {},
    quarantined: null,
    staleRefs: [{ uriOrLocator: "out.ts", digest: "sha256:o" }],
    ...(accepting === undefined ? {} : { accepting }),
  });

test("ESC-13 stale references can be accepted where that leads on, and that is recommended where no retry can", () => {
  const questions = ([undefined, "possible", "recommended"] as const).map((accepting) =>
    refusedForRefs(accepting).question("b"),
  );
  expect(questions).toMatchObject([
    { options: ["retry", "abort"], recommended: "retry" },
    { options: ["retry", "accept", "abort"], recommended: "retry" },
    { options: ["retry", "accept", "abort"], recommended: "accept" },
  ]);
});

test("ESC-13 what was accepted stands in the stage until it starts afresh, and the attempt keeps its number", () => {
  const run = refusedForRefs("possible").resolve("b", { option: "accept" });
  const accepted = [{ uriOrLocator: "out.ts", digest: "sha256:o" }];
  expect(run.stage("b")).toMatchObject({ hold: null, attemptNumber: 1, acceptedRefs: accepted });
  run.fail("b", Outcome.RETRYABLE_FAILURE);
  expect(run.stage("b")).toMatchObject({ attemptNumber: 2, acceptedRefs: accepted });
  run.rewind("a");
  expect(run.stage("b").acceptedRefs).toEqual([]);
});

test("ESC-13 a locator is accepted under each digest that was asked about, and stays so", () => {
  const run = refusedForRefs("possible").resolve("b", { option: "accept" });
  const digest = "sha256:p";
  run.apply({
    kind: "dispatch-refused",
    stageId: "b",
    attemptNumber: 1,
    reason: "stale-refs",
    problem: "again",
    decision: {},
    quarantined: null,
    staleRefs: [{ uriOrLocator: "out.ts", digest }],
    accepting: "possible",
  });
  run.resolve("b", { option: "accept" });
  const both = ["sha256:o", digest].map((one) => ({ uriOrLocator: "out.ts", digest: one }));
  expect(run.stage("b").acceptedRefs).toEqual(both);
});

test("ESC-13 D15 nobody accepts for what they submitted", () => {
  const run = refusedForRefs("possible");
  expect(run.refusal(run.resolveEvent("b", { option: "accept" }, submitter))).toEqual({
    reason: "own-submission",
  });
});

test("ESC-9 skip leaves the stage out, and the pipeline goes on", () => {
  const run = asked().resolve("b", { option: "skip" });
  expect([run.status, run.stages]).toEqual(["COMPLETED", { a: "COMPLETED", b: "SKIPPED" }]);
  expect(run.stage("b").skipReason).toContain("approver");
});

test("ESC-9 rewind goes back upstream with the instructions", () => {
  const run = asked().resolve("b", { option: "rewind", stageId: "a", instructions: "start over" });
  expect(run.stages).toEqual({ a: "READY", b: "PENDING" });
  expect(run.stage("a").feedback).toMatchObject([{ text: "start over", by: approver }]);
});

test("ESC-9 an option that is not offered, or lacks what it needs, is refused", () => {
  const run = asked();
  expect(run.refusal(run.resolveEvent("b", { option: "extend", byMs: 1 }))).toMatchObject({
    reason: "option-not-offered",
    option: "extend",
  });
  expect(
    run.refusal(run.resolveEvent("b", { option: "rewind", stageId: "zz", instructions: "" })),
  ).toMatchObject({
    reason: "unknown-stage",
  });
  const asking = new Run([stage("a")], { deadlineMs: 10 })
    .send("a")
    .report("a", { judgement: verdicts.clarify });
  expect(asking.refusal(asking.resolveEvent("a", { option: "answer", answer: " " }))).toEqual({
    reason: "empty-answer",
  });
  const late = new Run([stage("a")], { deadlineMs: 10 });
  late.now = 10;
  late.apply({ kind: "deadline-reached" });
  for (const byMs of [0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(late.refusal(late.resolveEvent(null, { option: "extend", byMs }))).toEqual({
      reason: "extension-not-positive",
      byMs,
    });
  }
});
