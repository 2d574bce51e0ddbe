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
  submittedBy: { id: "" },
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

describe("progress", () => {
  test("CLI-24: what has not changed is not told twice, and what has not begun not at all", () => {
    expect(progressBetween(pipeline(), pipeline({ revision: 2 }))).toEqual([]);
    const pending = pipeline({ stages: [stage({ status: "STAGE_STATUS_PENDING", attemptNumber: 0 })] });
    expect(progressBetween(undefined, pending)).toEqual([]);
    expect(progressBetween(undefined, pipeline())).toMatchObject([{ kind: "stage", status: "ready" }]);
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
});
