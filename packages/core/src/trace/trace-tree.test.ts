import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditFact } from "../pipeline/fact.ts";
import { stage } from "../pipeline/testing/definitions.ts";
import { anyDefinition } from "../pipeline/testing/any-definition.ts";
import { anyStep } from "../pipeline/testing/model.ts";
import { Run } from "../pipeline/testing/run.ts";
import { walk } from "../pipeline/testing/walk.ts";
import type { PipelineState } from "../pipeline/state.ts";
import type { Span } from "./span.ts";
import { executionSpanId, stageSpanId } from "./span-ids.ts";
import { span } from "./stored-span.ts";
import { traceTree, type TracedPipeline } from "./trace-tree.ts";

const patience = 60_000;
const decided = [span("dispatch_decision", 0, { children: [span("filter_rank", 0)] })];
const judged = [
  span("agent_execution", 0, { ms: 5 }),
  span("result_validation", 5, { children: [span("schema_check", 5)] }),
];

/** The rows that a run leaves, from what is on record of it. */
function tracedOf(facts: readonly AuditFact[], state: PipelineState): TracedPipeline {
  const recorded = (action: string) => facts.filter((fact) => fact.action === action);
  const orderOf = (fact: AuditFact) => state.plan.stages.findIndex(({ stageId }) => stageId === fact.stageId);
  return {
    tenantId: "tenant",
    traceId: "trace",
    state,
    dispatches: recorded("dispatch.sent").map((fact) => ({
      stageOrder: orderOf(fact),
      attemptNumber: fact.attemptNumber,
      dispatchId: fact.dispatchId ?? "",
      packId: fact.packId ?? "",
      instanceId: "i",
      sentAt: 0,
      spans: decided,
    })),
    results: recorded("result.received").map((fact) => ({
      stageOrder: orderOf(fact),
      attemptNumber: fact.attemptNumber,
      receivedAt: 5,
      spans: judged,
    })),
  };
}
const named = (spans: readonly Span[], name: string): Span[] => spans.filter((one) => one.name === name);
const chain = () => [stage("a"), stage("b", { dependsOn: ["a"] }), stage("c", { dependsOn: ["b"] })];

test(
  "TRACE-1 TRACE-2 TRACE-10 the tree of any run has one root, no stray, no id twice, and is the same in any order",
  () => {
    fc.assert(
      fc.property(anyDefinition, fc.array(anyStep, { maxLength: 60, size: "max" }), (definition, steps) => {
        const { facts, state } = walk(definition, steps);
        const traced = tracedOf(facts, state);
        const spans = traceTree(traced);
        const seen = new Set<string>([""]);
        for (const one of spans) {
          expect(seen.has(one.parentSpanId)).toBe(true);
          expect(seen.has(one.spanId)).toBe(false);
          expect(one).toMatchObject({ traceId: "trace", tenantId: "tenant", pipelineId: "pl-1" });
          expect(one.dispatchId === "").toBe(one.attemptNumber === 0);
          expect(one.endedAt === null).toBe(one.status === "open");
          expect(one.endedAt ?? one.startedAt).toBeGreaterThanOrEqual(one.startedAt);
          seen.add(one.spanId);
        }
        expect(spans.filter(({ parentSpanId }) => parentSpanId === "").map(({ name }) => name)).toEqual([
          "pipeline",
        ]);
        expect(named(spans, "pipeline_complete")).toHaveLength(state.endedAt === null ? 0 : 1);
        expect(named(spans, "agent_execution")).toHaveLength(traced.dispatches.length);
        const other = { dispatches: traced.dispatches.toReversed(), results: traced.results.toReversed() };
        expect(traceTree({ ...traced, ...other })).toEqual(spans);
      }),
      { numRuns: 50 },
    );
  },
  patience,
);

test("TRACE-1 TRACE-6 a finished pipeline, span by span", () => {
  const run = new Run(chain()).finish("a", "b", "c");
  const spans = traceTree(tracedOf(run.facts, run.state));
  const ofStage = [
    "stage",
    "dispatch_decision",
    "filter_rank",
    "agent_execution",
    "result_validation",
    "schema_check",
  ];
  expect(spans.map(({ name }) => name)).toEqual([
    "pipeline",
    ...ofStage,
    ...ofStage,
    ...ofStage,
    "pipeline_complete",
    "aggregate_timing",
    "artifact_summary",
    "risk_summary",
  ]);
  expect(spans.every(({ status }) => status === "ok")).toBe(true);
  expect(named(spans, "filter_rank")[0]).toMatchObject({
    agentId: "i",
    stageId: "a",
    dispatchId: "d1",
    attemptNumber: 1,
    parentSpanId: named(spans, "dispatch_decision")[0]?.spanId,
  });
  expect(named(spans, "stage")[0]).toMatchObject({
    agentId: "",
    dispatchId: "",
    attemptNumber: 0,
    endedAt: 5,
    attributes: { taskType: "a-work", status: "COMPLETED", attempts: 1 },
  });
  expect(named(spans, "aggregate_timing")[0]?.attributes).toMatchObject({
    stageCount: 3,
    stagesCompleted: 3,
  });
});

test("TRACE-3 the execution's span is the one that the envelope names, below the stage's", () => {
  const run = new Run(chain()).finish("a").send("b");
  for (const result of [true, false]) {
    const order = result ? 0 : 1;
    const found = named(traceTree(tracedOf(run.facts, run.state)), "agent_execution")[order];
    expect(found).toMatchObject({
      spanId: executionSpanId("pl-1", order, 1),
      parentSpanId: stageSpanId("pl-1", order),
    });
  }
});

test("TRACE-7 TRACE-10 what has not begun has no span, and what goes on is open", () => {
  const run = new Run(chain()).finish("a").send("b");
  const spans = traceTree(tracedOf(run.facts, run.state));
  expect(named(spans, "stage").map(({ stageId, status }) => [stageId, status])).toEqual([
    ["a", "ok"],
    ["b", "open"],
  ]);
  expect(spans[0]).toMatchObject({ name: "pipeline", status: "open", endedAt: null });
  expect(named(spans, "pipeline_complete")).toEqual([]);
});

test("TRACE-9 an attempt that brought nothing failed when it ended: as is told, or by the next one's beginning", () => {
  const run = new Run(chain()).send("a");
  run.apply({ kind: "transport-failed", ...run.fence("a"), detail: "refused" });
  run.now = 1_000;
  run.send("a");
  const traced = tracedOf(run.facts, run.state);
  const dispatches = traced.dispatches.map((row, index) => Object.assign(row, { sentAt: index * 900 }));
  const executions = (ends?: TracedPipeline["ends"]) =>
    named(traceTree({ ...traced, dispatches, ...(ends === undefined ? {} : { ends }) }), "agent_execution");
  expect(executions()).toMatchObject([
    { status: "error", endedAt: 900, attributes: { ended: "without a result" } },
    { status: "open", endedAt: null },
  ]);
  expect(
    executions([{ stageOrder: 0, attemptNumber: 1, endedAt: 400, why: "dispatch.transport-failed" }])[0],
  ).toMatchObject({ endedAt: 400, attributes: { ended: "dispatch.transport-failed" } });
});

test("TRACE-9 a result that came too late takes nothing away from how the attempt ended", () => {
  const run = new Run(chain()).send("a");
  run.apply({ kind: "abort", by: { type: "human", id: "x" }, note: "" });
  const end = { stageOrder: 0, attemptNumber: 1, endedAt: 15, why: "dispatch.cancelled" };
  const traced = { ...tracedOf(run.facts, run.state), ends: [end] };
  const late = { stageOrder: 0, attemptNumber: 1, receivedAt: 90, spans: [] };
  expect(traceTree({ ...traced, results: [late] })).toEqual(traceTree(traced));
  expect(named(traceTree(traced), "agent_execution")).toMatchObject([
    { endedAt: 15, attributes: { ended: "dispatch.cancelled" } },
  ]);
});

test("TRACE-10 a pipeline that was aborted ends with what it came to", () => {
  const run = new Run(chain()).finish("a").send("b");
  run.apply({ kind: "abort", by: { type: "human", id: "x" }, note: "" });
  const spans = traceTree(tracedOf(run.facts, run.state));
  expect(named(spans, "pipeline_complete")[0]).toMatchObject({
    status: "error",
    attributes: { status: "ABORTED" },
  });
  expect(named(spans, "stage").map(({ status }) => status)).toEqual(["ok", "error"]);
  expect(named(spans, "agent_execution")[1]).toMatchObject({ status: "error" });
});
