import { describe, expect, test } from "vitest";
import type { Pipeline, Stage } from "../pipelines/answers.ts";
import { progressBetween } from "./progress.ts";

const stage = (more: Partial<Stage> = {}): Stage => ({
  stageId: "build",
  stageName: "",
  taskType: "build",
  status: "STAGE_STATUS_READY",
  attemptNumber: 1,
  dispatch: null,
  result: null,
  resultOfPackId: null,
  wait: null,
  notBefore: null,
  waitsForEscalationId: null,
  failure: null,
  skipReason: null,
  noWayOn: null,
  ...more,
});
const pipeline = (more: Partial<Pipeline> = {}): Pipeline => ({
  pipelineId: "p",
  pipelineName: "",
  sourceTaskId: "t",
  status: "PIPELINE_STATUS_RUNNING",
  revision: 1,
  stages: [stage()],
  trace: { traceId: "" },
  templateId: "",
  templateVersion: "",
  submittedBy: { type: "", id: "" },
  createdAt: "",
  endedAt: null,
  deadlineAt: null,
  pause: null,
  retriesUsed: 0,
  rejectionsUsed: 0,
  openEscalations: [],
  ...more,
});
const question = {
  escalationId: "e1",
  cause: "gate",
  stageId: "build",
  problem: "Is it good?",
  impact: "",
  options: ["advance", "abort"],
  recommended: "advance",
  openedAt: "",
};

const endOf = (status: string, end?: Pipeline["end"]) =>
  progressBetween(pipeline(), pipeline({ status: `PIPELINE_STATUS_${status}`, end })).at(-1)?.note;

describe("progress", () => {
  test("CLI-24: what has not changed is not told twice, and what has not begun not at all", () => {
    expect(progressBetween(pipeline(), pipeline({ revision: 2 }))).toEqual([]);
    const pending = pipeline({ stages: [stage({ status: "STAGE_STATUS_PENDING", attemptNumber: 0 })] });
    expect(progressBetween(undefined, pending)).toEqual([]);
    expect(progressBetween(undefined, pipeline())).toMatchObject([{ kind: "stage", status: "ready" }]);
  });

  test("CLI-24: what was sent and done between two looks is told as both", () => {
    const done = (attemptNumber: number) =>
      stage({
        status: "STAGE_STATUS_COMPLETED",
        attemptNumber,
        result: { status: { summary: "Built." } },
        resultOfPackId: "builder",
      });
    const both = [
      { kind: "stage", status: "dispatched", note: "sent to builder" },
      { kind: "stage", status: "completed", note: "Built." },
    ];
    const after = pipeline({ stages: [done(1)] });
    expect(progressBetween(pipeline(), after)).toMatchObject(both);
    expect(progressBetween("begun", after)).toMatchObject(both);
    expect(progressBetween(after, pipeline({ stages: [done(2)] }))).toMatchObject(both);
    // Where a look before saw it sent, or nothing says that it was not sent long ago, it is told once.
    const dispatch = { packId: "builder", instanceId: "builder-1", sentAt: "" };
    const sent = pipeline({ stages: [stage({ status: "STAGE_STATUS_DISPATCHED", dispatch })] });
    expect(progressBetween(sent, after)).toMatchObject(both.slice(1));
    expect(progressBetween(undefined, after)).toMatchObject(both.slice(1));
    expect(progressBetween(after, after)).toEqual([]);
  });

  test("CLI-24: a stage, a question, its answer and the pipeline are told as they change", () => {
    const asked = pipeline({
      status: "PIPELINE_STATUS_PAUSED",
      pause: { reason: "waiting", note: "" },
      stages: [stage({ status: "STAGE_STATUS_DISPATCHED", attemptNumber: 2 })],
      openEscalations: [question],
    });
    expect(progressBetween(pipeline(), asked)).toMatchObject([
      { kind: "stage", status: "dispatched", attempt: 2 },
      { kind: "question", escalationId: "e1", options: ["advance", "abort"] },
    ]);
    const ended = pipeline({ status: "PIPELINE_STATUS_COMPLETED", stages: asked.stages });
    expect(progressBetween(asked, ended)).toMatchObject([
      { kind: "answered", escalationId: "e1" },
      { kind: "pipeline", status: "completed" },
    ]);
  });

  test("CLI-24: who ended it and why is told where it did not complete; an older server says nothing of it", () => {
    const ada = { by: { type: "human", id: "m-1" }, byName: "Ada", reason: "The line is closed." };
    expect(endOf("ABORTED", ada)).toBe("by Ada: The line is closed.");
    expect(endOf("ABORTED", { ...ada, byName: null, reason: "" })).toBe("by m-1");
    const key = { by: { type: "system", id: "key/ci/0" }, byName: "ci", reason: "" };
    expect(endOf("ABORTED", key)).toBe("by key ci");
    const itself = { by: { type: "orchestrator", id: "orchestrator" }, byName: null, reason: "It is late." };
    expect(endOf("FAILED", itself)).toBe("It is late.");
    expect(endOf("COMPLETED", itself)).toBe("");
    expect([endOf("ABORTED"), endOf("FAILED", null)]).toEqual(["", ""]);
  });
});
