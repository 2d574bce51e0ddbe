import { FailureStrategy } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { deadlineAt, stopClock } from "./clock.ts";
import { refuseLateTask } from "./late-task.ts";
import { stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const two = () => [stage("a"), stage("b", { dependsOn: ["a"] })];
const deadlineReached = { kind: "deadline-reached" } as const;

test("PAUSE-1 what is in flight finishes and counts; nothing new is sent", () => {
  const run = new Run(two()).send("a").pause().report("a");
  expect([run.status, run.stages]).toEqual(["PAUSED", { a: "COMPLETED", b: "READY" }]);
  expect(run.refusal(run.sendEvent("b"))).toMatchObject({ reason: "pipeline-paused" });
});

test("PAUSE-2 a pipeline whose last stage ends while a person paused it completes when it is resumed", () => {
  const run = new Run([stage("a")]).send("a").pause().report("a");
  expect(run.status).toBe("PAUSED");
  run.resume();
  expect([run.status, run.latestActions]).toEqual(["COMPLETED", ["pipeline.resumed", "pipeline.completed"]]);
});

test("PAUSE-3 PAUSE-4 questions hold their stages; the pipeline pauses with the last, and goes on with the first answer", () => {
  const run = new Run([stage("a"), stage("b"), stage("c", { dependsOn: ["b"] })]);
  run.refuseDispatch("a");
  expect(run.status).toBe("RUNNING");
  run.finish("b");
  expect(run.stages).toEqual({ a: "READY", b: "COMPLETED", c: "READY" });
  run.refuseDispatch("c");
  expect([run.status, run.state.pause?.reason]).toEqual(["PAUSED", "waiting"]);
  run.resolve("c", { option: "retry", instructions: "" });
  expect([run.status, run.woken()]).toEqual(["RUNNING", ["c"]]);
  expect(run.stage("a").hold).toBe("pl-1-e1");
});

test("PAUSE-5 a person can hold a pipeline that waits for people, and the answer does not set it off", () => {
  const run = new Run([stage("a")]).refuseDispatch("a").pause();
  run.resolve("a", { option: "retry", instructions: "" });
  expect([run.status, run.woken()]).toEqual(["PAUSED", []]);
  run.resume();
  expect([run.status, run.woken()]).toEqual(["RUNNING", ["a"]]);
});

test("PAUSE-6 who paused it and why stand in the pause and in the entry; where no reason was given, none stands there", () => {
  const by = { type: "human", id: "ada" } as const;
  const run = new Run([stage("a")]).apply({ kind: "pause", by, note: "The track is being mended." });
  expect(run.state.pause).toEqual({ reason: "person", since: 0, note: "The track is being mended.", by });
  run.resume();
  expect(run.state.pause).toBeNull();
  run.apply({ kind: "pause", by, note: "" });
  expect(run.state.pause).toMatchObject({ note: "", by });
  expect(run.facts.at(-1)).toMatchObject({ rationale: "Paused by a person", actor: by });
  // Behind a key stands nobody in particular.
  const key = { type: "system", id: "key/7" } as const;
  run.apply({ kind: "resume", by: key, note: "" });
  run.apply({ kind: "pause", by: key, note: "" });
  run.apply({ kind: "abort", by: key, note: "" });
  expect(run.facts.flatMap(({ actor, rationale }) => (actor === key ? [rationale] : []))).toEqual([
    "Resumed by a program",
    "Paused by a program",
    "Aborted by a program",
  ]);
  const waiting = new Run([stage("a")]).refuseDispatch("a");
  expect(waiting.state.pause).toMatchObject({ reason: "waiting", by: null });
});

test("PAUSE-5 CLOCK-5 a pipeline is paused once, and waits for answers rather than for a resume", () => {
  const run = new Run([stage("a")]).pause();
  expect(run.refusal({ kind: "pause", by: { type: "human", id: "x" }, note: "" })).toEqual({
    reason: "already-paused",
    pause: "person",
  });
  run.resume().refuseDispatch("a");
  expect(run.refusal({ kind: "resume", by: { type: "human", id: "x" }, note: "" })).toEqual({
    reason: "waiting-for-people",
    escalationIds: ["pl-1-e1"],
  });
});

test("CLOCK-1 D13 the clock stands still while the pipeline is paused, by whomever", () => {
  const run = new Run(two(), { deadlineMs: 1_000 });
  run.now = 400;
  run.pause();
  expect(deadlineAt(run.state)).toBeNull();
  run.now = 10_000;
  run.resume();
  expect(deadlineAt(run.state)).toBe(10_600);
  run.now = 10_100;
  run.refuseDispatch("a");
  expect(run.state.clock).toEqual({ remainingMs: 500, runningSince: null, endsAt: null });
});

test("CLOCK-6 an hour's pause takes nothing from the patience of a stage that waits", () => {
  const run = new Run(two());
  run.now = 100;
  run.apply(run.deferEvent("a", 900));
  run.now = 400;
  run.pause();
  run.now = 3_600_400;
  run.resume();
  expect(run.stage("a").wait).toEqual({ reason: "busy", since: 3_600_100, until: 3_600_900 });
  expect(run.latestActions).toEqual(["pipeline.resumed"]);
});

test("CLOCK-6 nor do two pauses, of which the deadline's question follows on a person's", () => {
  const run = new Run(two(), { deadlineMs: 1_000 });
  run.apply(run.deferEvent("a", 5_000));
  run.now = 2_000;
  run.pause();
  run.now = 10_000;
  run.resume();
  expect(run.state.pause?.reason).toBe("deadline");
  run.now = 30_000;
  run.resolve(null, { option: "extend", byMs: 300 });
  expect(run.stage("a").wait).toMatchObject({ since: 28_000, until: 33_000 });
});

test("CLOCK-2 a clock that was set back neither costs nor gives time", () => {
  expect(stopClock({ remainingMs: 500, runningSince: 1_000, endsAt: null }, 400)).toEqual({
    remainingMs: 500,
    runningSince: null,
    endsAt: null,
  });
});

test("CLOCK-3 D13 on expiry the pipeline pauses and asks; an extension runs from the answer on", () => {
  const run = new Run(two(), { deadlineMs: 1_000 }).send("a");
  run.now = 999;
  expect(run.refusal(deadlineReached)).toEqual({ reason: "not-due", dueAt: 1_000 });
  run.now = 1_000;
  run.apply(deadlineReached);
  expect(run.question()).toMatchObject({ cause: "deadline", options: ["extend", "resume", "abort"] });
  run.report("a");
  expect([run.status, run.stages]).toEqual(["PAUSED", { a: "COMPLETED", b: "READY" }]);
  run.now = 5_000;
  run.resolve(null, { option: "extend", byMs: 300 });
  expect([run.status, deadlineAt(run.state), run.woken()]).toEqual(["RUNNING", 5_300, ["b"]]);
});

test("CLOCK-3 going on without a deadline never expires again", () => {
  const run = new Run(two(), { deadlineMs: 1_000 });
  run.now = 1_000;
  run.apply(deadlineReached).resolve(null, { option: "resume" });
  run.now = 1e9;
  expect(run.refusal(deadlineReached)).toEqual({ reason: "not-due", dueAt: null });
});

test("CLOCK-4 a pipeline paused past its deadline is asked about before it runs again", () => {
  const run = new Run(two(), { deadlineMs: 1_000 });
  run.now = 2_000;
  run.pause().resume();
  expect([run.status, run.state.pause?.reason]).toEqual(["PAUSED", "deadline"]);
  expect(run.question().cause).toBe("deadline");
});

test("CLOCK-4 neither does an answer set off a pipeline whose time was over when it began to wait", () => {
  const run = new Run([stage("a")], { deadlineMs: 1_000 });
  run.now = 2_000;
  run.refuseDispatch("a").resolve("a", { option: "retry", instructions: "" });
  expect([run.status, run.question().cause]).toEqual(["PAUSED", "deadline"]);
});

test("CLOCK-5 a plain resume does not pass over the deadline's question", () => {
  const run = new Run(two(), { deadlineMs: 1_000 });
  run.now = 1_000;
  run.apply(deadlineReached);
  const resume = { kind: "resume", by: { type: "human", id: "x" }, note: "" } as const;
  expect(run.refusal(resume)).toEqual({ reason: "deadline-passed" });
});

test("CLOCK-4 a rewind past the deadline does not time out at once: it waits for the answer, and then has time", () => {
  const run = new Run(two(), { deadlineMs: 1_000 }).finish("a");
  run.now = 1_000;
  run.apply(deadlineReached).rewind("a");
  expect([run.status, run.stages]).toEqual(["PAUSED", { a: "READY", b: "PENDING" }]);
  run.now = 9_000;
  run.resolve(null, { option: "extend", byMs: 500 });
  expect(deadlineAt(run.state)).toBe(9_500);
});

test("ABORT-1 ABORT-2 PIPE-5 an abort stops, cancels, and leaves nothing open", () => {
  const run = new Run([stage("a"), stage("b"), stage("c")]).send("a", "b").refuseDispatch("c");
  run.report("b", { judgement: verdicts.ask });
  run.apply({ kind: "abort", by: { type: "human", id: "x" }, note: "not needed" });
  expect([run.status, run.stages]).toEqual(["ABORTED", { a: "FAILED", b: "FAILED", c: "PENDING" }]);
  expect(run.latestActions).toEqual(["pipeline.paused-by-person", "dispatch.cancelled", "pipeline.aborted"]);
  expect(run.cancelled()).toEqual(["d1"]);
  expect(run.state.escalations).toEqual([]);
  expect(run.stage("a").failure?.code).toBe("PIPELINE_ENDED");
  expect(run.refusal({ kind: "pause", by: { type: "human", id: "x" }, note: "" })).toMatchObject({
    reason: "pipeline-finished",
  });
});

describe("END-1 who ended it, and why", () => {
  const by = { type: "human", id: "ada" } as const;
  const orchestrator = { type: "orchestrator", id: "orchestrator" } as const;

  test("is a person, with what they said; where they said nothing, nothing stands there", () => {
    const run = new Run([stage("a")]);
    expect(run.state.end).toBeNull();
    run.apply({ kind: "abort", by, note: "The line is closed." });
    expect(run.state.end).toEqual({ by, reason: "The line is closed.", escalationId: null });
    const silent = new Run([stage("a")]).apply({ kind: "abort", by, note: "" });
    expect(silent.state.end).toEqual({ by, reason: "", escalationId: null });
    expect(silent.facts.at(-1)).toMatchObject({ rationale: "Aborted by a person", actor: by });
  });

  test("is who answered a question with it, also that of the deadline", () => {
    const asked = new Run([stage("a")]).refuseDispatch("a").resolve("a", { option: "abort" }, by);
    expect(asked.state.end).toEqual({ by, reason: "because", escalationId: "pl-1-e1" });
    const late = new Run(two(), { deadlineMs: 1_000 });
    late.now = 1_000;
    late.apply(deadlineReached).resolve(null, { option: "abort" }, by);
    expect(late.state.end).toEqual({ by, reason: "because", escalationId: "pl-1-e1" });
  });

  test("is the orchestrator, with what its rule found: a failure, the task's deadline, that all is done", () => {
    const failed = new Run([stage("a")], { strategy: FailureStrategy.FAIL_FAST }).fail("a");
    expect(failed.state.end).toMatchObject({ by: orchestrator, escalationId: null });
    expect(failed.state.end?.reason).toMatch(/^Stage "a" failed, and the policy is to fail fast: /);
    const late = new Run(two(), { templateId: "", taskDeadlineAt: 1_000 });
    late.now = 1_000;
    late.apply(deadlineReached);
    expect(late.state.end).toEqual({
      by: orchestrator,
      reason: "The task's deadline, 1970-01-01T00:00:01.000Z, has passed; 0 of 2 stages have a result",
      escalationId: null,
    });
    const done = new Run([stage("a")]).finish("a");
    expect(done.state.end).toEqual({ by: orchestrator, reason: "Every stage is over", escalationId: null });
  });
});

describe("CLOCK-7 CLOCK-8 the task's own deadline", () => {
  const bare = { templateId: "", taskDeadlineAt: 1_000 };

  test("fails what nobody is asked about at that moment, and not before: what is at work is called off", () => {
    for (const policy of [bare, { strategy: FailureStrategy.FAIL_FAST, taskDeadlineAt: 1_000 }]) {
      const run = new Run(two(), policy).send("a");
      expect(deadlineAt(run.state)).toBe(1_000);
      run.now = 999;
      expect(run.refusal(deadlineReached)).toEqual({ reason: "not-due", dueAt: 1_000 });
      run.now = 1_000;
      run.apply(deadlineReached);
      expect([run.status, run.stages]).toEqual(["FAILED", { a: "FAILED", b: "PENDING" }]);
      expect(run.stage("a").failure?.code).toBe("DEADLINE_EXCEEDED");
      expect(run.latestActions).toEqual(["dispatch.cancelled", "pipeline.failed-on-deadline"]);
      expect([deadlineAt(run.state), run.state.escalations]).toEqual([null, []]);
    }
  });

  test("stands still for no pause, by whomever, and closes the questions that it passed", () => {
    const held = new Run(two(), bare).pause();
    const asked = new Run([stage("a")], bare).refuseDispatch("a");
    for (const run of [held, asked]) {
      expect([run.status, deadlineAt(run.state)]).toEqual(["PAUSED", 1_000]);
      run.now = 1_000;
      run.apply(deadlineReached);
      expect([run.status, run.state.escalations]).toEqual(["FAILED", []]);
      expect(run.latestActions).toEqual(["pipeline.resumed", "pipeline.failed-on-deadline"]);
    }
    const resumed = new Run(two(), bare).pause();
    resumed.now = 1_000;
    expect(resumed.resume().status).toBe("FAILED");
  });

  test("asks where a template has people asked; more time is a new deadline, and none is none", () => {
    const asking = () => {
      const run = new Run(two(), { deadlineMs: 9_000, taskDeadlineAt: 1_000 }).send("a");
      run.now = 1_000;
      run.apply(deadlineReached);
      expect([run.status, run.state.pause?.reason, deadlineAt(run.state)]).toEqual([
        "PAUSED",
        "deadline",
        null,
      ]);
      expect(run.question()).toMatchObject({
        cause: "deadline",
        problem: expect.stringContaining("The task's deadline, 1970-01-01T00:00:01.000Z, has passed"),
        options: ["extend", "resume", "abort"],
      });
      run.now = 5_000;
      return run;
    };
    const extended = asking().resolve(null, { option: "extend", byMs: 300 });
    expect([extended.status, deadlineAt(extended.state)]).toEqual(["RUNNING", 5_300]);
    expect(extended.state.clock).toEqual({ remainingMs: 8_000, runningSince: 5_000, endsAt: 5_300 });
    extended.now = 5_300;
    expect(extended.apply(deadlineReached).question()).toMatchObject({ cause: "deadline" });
    const free = asking().resolve(null, { option: "resume" });
    expect(deadlineAt(free.state)).toBe(13_000);
    expect(asking().resolve(null, { option: "abort" }).status).toBe("ABORTED");
  });

  test("CLOCK-4 passed in a person's pause, it is asked about before anything runs again", () => {
    const run = new Run(two(), { taskDeadlineAt: 1_000 }).pause();
    run.now = 2_000;
    expect(run.refusal(deadlineReached)).toMatchObject({ reason: "not-due" });
    run.resume();
    expect([run.status, run.state.pause?.reason]).toEqual(["PAUSED", "deadline"]);
  });
});

test("CLOCK-9 a task whose deadline has passed is refused by its field", () => {
  expect(() => refuseLateTask(1_000, 999, "execution.deadline")).not.toThrow();
  expect(() => refuseLateTask(undefined, 999, "execution.deadline")).not.toThrow();
  for (const [field, code] of [
    ["execution.deadline", "VALIDATION_FAILED"],
    ["telemetry.deadline", "DEADLINE_EXCEEDED"],
  ] as const)
    expect(() => refuseLateTask(1_000, 1_000, field)).toThrow(
      expect.objectContaining({ code, violations: [expect.objectContaining({ field, rule: "future" })] }),
    );
});
