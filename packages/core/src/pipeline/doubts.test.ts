import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { foldPipeline } from "./fold.ts";
import { approver, stage, verdicts } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

const atWork = () => new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).send("a");
const doubt = (run: Run) => ({ kind: "confidence-doubted", problem: "It falls", ...run.fence("a") }) as const;
const doubted = () => {
  const run = atWork();
  return run.apply(doubt(run));
};
const questionOf = (run: Run) => {
  const [question] = run.state.escalations;
  if (question === undefined) throw new Error("nothing was asked");
  return question;
};
const answered = (run: Run, resolution: Parameters<typeof resolved>[1]) =>
  run.apply(resolved(run, resolution));
const resolved = (
  run: Run,
  resolution: { option: "resume" | "abort" } | { option: "retry"; instructions: string },
) =>
  ({
    kind: "escalation-resolved",
    escalationId: questionOf(run).escalationId,
    resolution,
    by: approver,
    comment: "",
  }) as const;

test("DOUBT-1 a person is asked while the attempt goes on, and nothing waits for the answer", () => {
  const run = doubted();
  expect(questionOf(run)).toMatchObject({
    cause: "low-confidence",
    stageId: "a",
    attemptNumber: 1,
    blocking: false,
    options: ["resume", "retry", "rewind", "abort"],
    recommended: "resume",
  });
  expect(run.stage("a")).toMatchObject({ status: StageStatus.DISPATCHED, hold: null });
  expect(run.state.status).toBe(PipelineStatus.RUNNING);
  expect(run.report("a").stage("b").status).toBe(StageStatus.READY);
});

test("DOUBT-2 once an attempt, also after the answer; the next attempt may be doubted again", () => {
  const run = doubted();
  expect(run.refusal(doubt(run))).toMatchObject({ reason: "already-doubted", attemptNumber: 1 });
  answered(run, { option: "resume" });
  expect(run.refusal(doubt(run))).toMatchObject({ reason: "already-doubted" });
  run.apply({ kind: "rewind", stageId: "a", instructions: "", by: approver }).send("a");
  expect(run.apply(doubt(run)).state.escalations).toHaveLength(1);
});

describe("DOUBT-3 the end of the attempt closes the question", () => {
  test.each<[string, (run: Run) => Run, string]>([
    ["its result", (run) => run.report("a"), "attempt-ended"],
    ["its rejection", (run) => run.report("a", { judgement: verdicts.rejectTo("a") }), "rewound"],
    [
      "a lost lease",
      (run) => run.apply({ kind: "lease-lost", leaseExpiredAt: 0, ...run.fence("a") }),
      "attempt-ended",
    ],
    [
      "a rewind",
      (run) => run.apply({ kind: "rewind", stageId: "a", instructions: "", by: approver }),
      "rewound",
    ],
    ["an abort", (run) => run.apply({ kind: "abort", by: approver, note: "" }), "pipeline-ended"],
  ])("%s", (_name, end, why) => {
    const run = end(doubted());
    expect(run.state.escalations).toEqual([]);
    expect(run.latest).toContainEqual(
      expect.objectContaining({ kind: "close-escalation", end: { kind: "superseded", why } }),
    );
    expect(foldPipeline(run.facts)).toMatchObject({ kind: "folded", state: run.state });
  });
});

describe("DOUBT-4", () => {
  test("resume lets it go on", () => {
    const run = doubted();
    const dispatch = run.dispatchOf("a");
    answered(run, { option: "resume" });
    expect(run.dispatchOf("a")).toEqual(dispatch);
    expect(run.state).toMatchObject({ status: PipelineStatus.RUNNING, escalations: [] });
  });

  test("retry calls the attempt off, on record, and begins another one with the instructions", () => {
    const run = doubted();
    const { dispatchId } = run.dispatchOf("a");
    answered(run, { option: "retry", instructions: "ask for help" });
    expect(run.latest).toContainEqual(
      expect.objectContaining({ kind: "cancel-dispatch", dispatch: expect.objectContaining({ dispatchId }) }),
    );
    expect(run.facts.map(({ action }) => action)).toContain("dispatch.cancelled");
    expect(run.stage("a")).toMatchObject({
      status: StageStatus.READY,
      attemptNumber: 2,
      retriesUsed: 0,
      feedback: [{ kind: "retry", text: "ask for help" }],
    });
  });
});
