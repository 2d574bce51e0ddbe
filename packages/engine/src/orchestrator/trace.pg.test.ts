import { randomUUID } from "node:crypto";
import type { Span } from "@signalbox/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportEvents } from "../saop/report-events.ts";
import { idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { submitTemplate, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { failedEvidence } from "../testing/results.ts";
import { toolCall } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { rewindPipeline } from "./person-commands.ts";
import { getPipeline, readTrace } from "./read-pipelines.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
});
afterEach(() => opened.end());

type Tree = { readonly [name: string]: Tree };

/** The names below a span, as nested keys. */
const below = (spans: readonly Span[], parent: string): Tree =>
  Object.fromEntries(
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .map((span) => [
        span.stageId !== "" && span.name === "stage" ? span.stageId : nameOf(span),
        below(spans, span.spanId),
      ]),
  );
const nameOf = ({ name, attemptNumber }: Span): string =>
  attemptNumber > 1 ? `${name} ${attemptNumber}` : name;

test("5.1: the trace is a tree of pipeline, stages, decision, execution, validation, gate and completion", async () => {
  const { engine } = opened;
  const agent = workByHand(engine, "builder");
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  const first = await agent.work("a", failedEvidence);
  for (const stage of ["a", "b", "c"]) await agent.work(stage);
  await waitForStatus(engine, pipelineId, "COMPLETED");
  const spans = await readTrace(engine, askedBy("viewer"), pipelineId);
  const [root] = spans;
  expect(root).toMatchObject({ name: "pipeline", parentSpanId: "", status: "ok" });

  const tree = below(spans, root?.spanId ?? "");
  const decision = { admission_check: {}, route_match: {}, filter_rank: {}, context_assembly: {} };
  expect(Object.keys(tree)).toEqual(["a", "b", "c", "pipeline_complete"]);
  expect(tree["b"]).toMatchObject({
    dispatch_decision: decision,
    agent_execution: {},
    result_validation: { schema_check: {}, trace_match: {}, dispatch_match: {} },
    review_gate: { minimum_gate_checks: {}, tier_review: {} },
  });
  expect(tree["a"]).toMatchObject({ dispatch_decision: decision, "dispatch_decision 2": expect.any(Object) });
  expect(Object.keys(tree["pipeline_complete"] ?? {})).toEqual([
    "aggregate_timing",
    "artifact_summary",
    "risk_summary",
  ]);
  // What the agent was told is where its own spans belong.
  const execution = spans.find(({ name, stageId }) => name === "agent_execution" && stageId === "a");
  expect(first.trace).toMatchObject({ spanId: execution?.spanId, parentSpanId: execution?.parentSpanId });
});

test("TRACE-12 TRACE-9: what the agent told of its tools stands below its work, and an attempt that was cut off says by what", async () => {
  const { engine } = opened;
  const agent = workByHand(engine, "builder");
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  const first = await agent.takeOne();
  const called = toolCall({ pattern: "x" }, { turn_index: 0, sequence: 0 });
  const { payload } = called;
  const done = { ...called, event_id: randomUUID(), sequence: 1 };
  await reportEvents(engine, askedBy("agent"), idOf(first), [
    called,
    { ...done, payload: { ...payload, type: "TOOL_LIFECYCLE_COMPLETED", status: "success", duration_ms: 7 } },
  ]);
  await rewindPipeline(engine, askedBy("operator"), { pipelineId, stageId: "a", instructions: "anew" });
  const spans = await readTrace(engine, askedBy("viewer"), pipelineId);
  const execution = spans.find(({ name }) => name === "agent_execution");
  expect(execution).toMatchObject({
    status: "error",
    endedAt: expect.any(Number),
    attributes: { ended: "dispatch.cancelled" },
  });
  expect(spans.filter(({ name }) => name === "tool_call")).toMatchObject([
    {
      parentSpanId: execution?.spanId,
      dispatchId: idOf(first),
      agentId: "builder-1",
      status: "ok",
      attributes: { tool: "grep", status: "success", claimedMs: 7, turn: 0 },
    },
  ]);
  await agent.work("a");
});

test("5.1: every span carries the nine correlation fields, each id once", async () => {
  const { engine } = opened;
  const agent = workByHand(engine, "builder");
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a");
  const open = await agent.takeOne();
  await reportEvents(engine, askedBy("agent"), idOf(open), [toolCall({ pattern: "x" }, { turn_index: 0 })]);
  const spans = await readTrace(engine, askedBy("viewer"), pipelineId);
  const { traceId } = await getPipeline(engine, askedBy("viewer"), pipelineId);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const known = new Set(spans.map(({ spanId }) => spanId));
  for (const span of spans) {
    expect(span).toMatchObject({ traceId, tenantId: "default", pipelineId });
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.parentSpanId === "" || known.has(span.parentSpanId)).toBe(true);
  }
  const ofAttempt = spans.filter(({ dispatchId }) => dispatchId !== "");
  expect(new Set(ofAttempt.map(({ dispatchId }) => dispatchId))).toEqual(
    new Set([`${pipelineId}-d0.1`, `${pipelineId}-d1.1`]),
  );
  for (const span of ofAttempt) {
    expect(span).toMatchObject({
      agentId: "builder-1",
      attemptNumber: 1,
      stageId: expect.stringMatching(/^[ab]$/),
    });
  }
  const atWork = spans.find(({ name, stageId }) => name === "agent_execution" && stageId === "b");
  expect(atWork).toMatchObject({ status: "open", endedAt: null, dispatchId: open.execution?.dispatchId });
});
