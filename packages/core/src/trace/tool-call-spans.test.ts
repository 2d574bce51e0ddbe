import { expect, test } from "vitest";
import { stage } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import type { Span } from "./span.ts";
import { span } from "./stored-span.ts";
import type { TracedToolEvent } from "./tool-call-spans.ts";
import { traceTree } from "./trace-tree.ts";

type Told = Partial<TracedToolEvent> & Pick<TracedToolEvent, "sequence" | "callId" | "heardAt">;
const began = (said: Told): TracedToolEvent => ({
  stageOrder: 0,
  attemptNumber: 1,
  turnIndex: 0,
  tool: "grep",
  completed: false,
  status: null,
  claimedMs: null,
  ...said,
});
const ended = (status: string, said: Told) => began({ completed: true, status, claimedMs: 3, ...said });

function treeOf(toolEvents: readonly TracedToolEvent[], reported: boolean): Span[] {
  const run = new Run([stage("a")]).send("a");
  if (reported) run.report("a");
  const place = { stageOrder: 0, attemptNumber: 1 };
  return traceTree({
    tenantId: "tenant",
    traceId: "trace",
    state: run.state,
    dispatches: [{ ...place, dispatchId: "d1", packId: "p", instanceId: "i", sentAt: 0, spans: [] }],
    results: reported ? [{ ...place, receivedAt: 50, spans: [span("agent_execution", 0, { ms: 50 })] }] : [],
    toolEvents,
  });
}
const callsOf = (spans: readonly Span[]) => spans.filter(({ name }) => name === "tool_call");

test("TRACE-12 calls of tools stand below the agent's execution, with how they ended and how long the agent says", () => {
  const spans = treeOf(
    [
      began({ sequence: 0, callId: "one", heardAt: 10 }),
      began({ sequence: 1, callId: "two", heardAt: 12, tool: "npm" }),
      ended("success", { sequence: 2, callId: "one", heardAt: 20 }),
      ended("timeout", { sequence: 3, callId: "two", heardAt: 30 }),
      // A call of which only the end was told, and an id that was used again.
      ended("success", { sequence: 4, callId: "three", heardAt: 31 }),
      began({ sequence: 5, callId: "one", heardAt: 32 }),
      began({ sequence: 6, callId: "elsewhere", heardAt: 33, attemptNumber: 2 }),
    ],
    true,
  );
  const execution = spans.find(({ name }) => name === "agent_execution");
  expect(callsOf(spans)).toMatchObject([
    {
      startedAt: 10,
      endedAt: 20,
      status: "ok",
      attributes: { tool: "grep", status: "success", claimedMs: 3 },
    },
    { startedAt: 12, endedAt: 30, status: "error", attributes: { tool: "npm", status: "timeout" } },
    { startedAt: 31, endedAt: 31, status: "ok" },
    { startedAt: 32, endedAt: 50, status: "error", attributes: { tool: "grep", turn: 0 } },
  ]);
  for (const call of callsOf(spans)) {
    const { traceId, tenantId, agentId, pipelineId, stageId, dispatchId, attemptNumber } = call;
    expect(call.parentSpanId).toBe(execution?.spanId);
    expect({ traceId, tenantId, agentId, pipelineId, stageId, dispatchId, attemptNumber }).toEqual({
      traceId: "trace",
      tenantId: "tenant",
      agentId: "i",
      pipelineId: "pl-1",
      stageId: "a",
      dispatchId: "d1",
      attemptNumber: 1,
    });
  }
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});

test("TRACE-12 while the attempt goes on, so does a call whose end was not told", () => {
  const [call] = callsOf(treeOf([began({ sequence: 0, callId: "one", heardAt: 10 })], false));
  expect(call).toMatchObject({ startedAt: 10, endedAt: null, status: "open" });
});
