import type { StreamEvent } from "@signalbox/api";
import { expect, test } from "vitest";
import { changeOf, moved, rowsMoved, withNewest } from "./apply-change.ts";
import type { Pipeline, PipelinePages, PipelineSummary } from "./pipeline-queries.ts";

const event = (data: Record<string, unknown>, kind = "pipeline.changed"): StreamEvent => ({
  type: "event",
  topic: "tenant",
  cursor: "c",
  kind,
  at: "2030-01-01T00:00:00.000Z",
  pipelineId: "p",
  data,
});

const transitions = [
  { from: "STAGE_STATUS_DISPATCHED", to: "STAGE_STATUS_COMPLETED", stageId: "a", attemptNumber: 1 },
  { from: "STAGE_STATUS_PENDING", to: "STAGE_STATUS_READY", stageId: "b", attemptNumber: 1 },
  { from: "PIPELINE_STATUS_RUNNING", to: "PIPELINE_STATUS_PAUSED" },
];

/** As much of a pipeline as a change may touch. */
const pipeline = {
  pipelineId: "p",
  revision: 4,
  status: "PIPELINE_STATUS_RUNNING",
  stages: [
    { stageId: "a", status: "STAGE_STATUS_DISPATCHED", attemptNumber: 1 },
    { stageId: "b", status: "STAGE_STATUS_PENDING", attemptNumber: 0 },
  ],
} as unknown as Pipeline;

const change = changeOf(event({ revision: 5, transitions }));

test("stages and pipeline take the status that the event says", () => {
  if (change === undefined) throw new Error("no change was read");
  expect(moved(pipeline, change)).toEqual({
    ...pipeline,
    revision: 5,
    status: "PIPELINE_STATUS_PAUSED",
    stages: [
      { stageId: "a", status: "STAGE_STATUS_COMPLETED", attemptNumber: 1 },
      { stageId: "b", status: "STAGE_STATUS_READY", attemptNumber: 1 },
    ],
  });
});

test.each([
  ["an older event", { pipelineId: "p", revision: 4 }],
  ["another pipeline's", { pipelineId: "q", revision: 9 }],
])("%s changes nothing", (_what, other) => {
  if (change === undefined) throw new Error("no change was read");
  expect(moved(pipeline, { ...change, ...other })).toBe(pipeline);
});

test("what is no change, or is misshapen, is passed over", () => {
  expect(changeOf(event({ revision: 5 }, "turn.reported"))).toBeUndefined();
  expect(changeOf(event({ revision: "5" }))).toBeUndefined();
  expect(changeOf(event({ revision: 5, transitions: [1, null, { stageId: "a" }] }))).toEqual({
    pipelineId: "p",
    revision: 5,
    transitions: [],
  });
});

const row = (pipelineId: string, revision = 1) =>
  ({ pipelineId, revision, status: "PIPELINE_STATUS_RUNNING" }) as PipelineSummary;
const pagesOf = (...pages: PipelineSummary[][]): PipelinePages => ({
  pages: pages.map((pipelines) => ({ pipelines, nextCursor: null })),
  pageParams: pages.map(() => null),
});
const ended = (pipelineId: string, revision: number) => ({
  pipelineId,
  revision,
  transitions: [{ to: "PIPELINE_STATUS_COMPLETED", stageId: undefined, attemptNumber: 0 }],
});

test("rows move in place, pages without any stay the same, and what is not shown is told", () => {
  const pages = pagesOf([row("a"), row("b")], [row("c")]);
  const { pages: after, unknown } = rowsMoved(pages, [ended("b", 2)]);
  expect(after.pages[0]?.pipelines.map(({ status }) => status)).toEqual([
    "PIPELINE_STATUS_RUNNING",
    "PIPELINE_STATUS_COMPLETED",
  ]);
  expect(after.pages[1]).toBe(pages.pages[1]);
  expect(unknown).toBe(false);
  expect(rowsMoved(pages, [ended("new", 1)]).unknown).toBe(true);
});

test("of several changes of a row the last counts, and a status that a later one does not name stays", () => {
  const later = { pipelineId: "a", revision: 3, transitions: [] };
  const { pages } = rowsMoved(pagesOf([row("a")]), [ended("a", 2), later]);
  expect(pages.pages[0]?.pipelines).toEqual([
    { pipelineId: "a", revision: 3, status: "PIPELINE_STATUS_COMPLETED" },
  ]);
});

test("new ones come first, each once", () => {
  const pages = withNewest(pagesOf([row("a")], [row("b")]), [row("n"), row("a")]);
  expect(pages.pages.map((page) => page.pipelines.map(({ pipelineId }) => pipelineId))).toEqual([
    ["n", "a"],
    ["b"],
  ]);
});
