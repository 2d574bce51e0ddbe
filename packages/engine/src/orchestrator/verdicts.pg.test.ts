import { AuditEventType, Outcome } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { standingOf, stateOf, submitTemplate, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { failedEvidence } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { abortPipeline } from "./person-commands.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

test("VERDICT-2 ADVANCE: each stage is sent when the one before passed the gate, with what it handed on", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a", {
    artifacts: [{ path: "out/a.ts", digest: "sha256:a" }],
    contextOut: {
      decisionsMade: [{ decisionId: "d1", description: "use a queue", rationale: "it is durable" }],
      risksIdentified: ["the queue may fill"],
      assumptionsMade: ["one writer"],
    },
  });
  const second = await agent.work("b");
  expect(second).toMatchObject({
    refs: [{ uriOrLocator: "out/a.ts", digest: "sha256:a" }],
    contextIn: {
      sharedContext: expect.stringContaining("the queue may fill"),
      decisionMemo: { decisions: [{ decisionId: "d1" }] },
      unresolvedAssumptions: ["one writer"],
    },
  });
  const third = await agent.work("c");
  expect(third.refs).toMatchObject([{ uriOrLocator: "out/a.ts" }]);
  await waitForStatus(engine, pipelineId, "COMPLETED");
  const passed = await factsOf(engine, { pipelineId, eventType: AuditEventType.GATE_PASSED });
  expect(passed.map(({ stageId }) => stageId)).toEqual(["a", "b", "c"]);
});

test("VERDICT-3 RETRY: what the gate found is in the next attempt's envelope, and the first one's result counts no more", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  const first = await agent.work("a", failedEvidence);
  const second = await agent.takeOne();
  expect(second.execution).toMatchObject({
    attemptNumber: 2,
    dispatchId: `${pipelineId}-d0.2`,
    idempotencyKey: first.execution?.idempotencyKey,
  });
  expect(second.contextIn?.taskDelta).toContain("true");
  await expect(agent.report(first)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  await agent.report(second);
  expect(await standingOf(engine, pipelineId)).toMatchObject({ a: "COMPLETED", b: "DISPATCHED" });
  const failed = await factsOf(engine, { pipelineId, eventType: AuditEventType.GATE_FAILED });
  expect(failed).toMatchObject([
    {
      stageId: "a",
      attemptNumber: 1,
      snapshot: { value: { stageRetriesLeft: 3, pipelineRetriesLeft: 99 } },
    },
  ]);
});

test("VERDICT-4 REJECT (4.6): an earlier stage starts afresh with the reviewer's word; the stages between follow", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a", { contextOut: { rollbackNotes: "revert a" } });
  await agent.work("b");
  await agent.work("c", {
    outcome: Outcome.NON_RETRYABLE_FAILURE,
    blockers: [{ description: "the schema is wrong", suggestedResolution: "rewind: a" }],
  });
  expect(await standingOf(engine, pipelineId)).toEqual({
    pipeline: "RUNNING",
    a: "DISPATCHED",
    b: "PENDING",
    c: "PENDING",
  });
  const again = await agent.work("a");
  expect(again.execution).toMatchObject({ attemptNumber: 2, dispatchId: `${pipelineId}-d0.2` });
  expect(again.contextIn?.taskDelta).toContain("the schema is wrong");
  expect(again.contextIn?.taskDelta).toContain("revert a");
  await agent.work("b");
  await agent.work("c");
  await waitForStatus(engine, pipelineId, "COMPLETED");
  expect((await stateOf(engine, pipelineId)).rejectionsUsed).toBe(1);
  const rejected = await factsOf(engine, { pipelineId, eventType: AuditEventType.GATE_REJECTED });
  expect(rejected).toMatchObject([
    {
      stageId: "c",
      dispatchId: `${pipelineId}-d2.1`,
      rationale: expect.stringContaining('"c" sends the work back to "a"'),
      snapshot: {
        value: { rewindTargetStage: "a", rejectReason: expect.stringContaining('"c" sends the work back') },
      },
    },
  ]);
});

test("ABORT-1 ABORT-2: what was in flight is told to stop at the next heartbeat, and counts no more", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "diamond");
  await agent.work("a");
  const inFlight = await agent.take(2);
  expect(inFlight.map(idOf)).toHaveLength(2);
  await abortPipeline(engine, askedBy("operator"), { pipelineId, note: "not needed any more" });
  expect(await standingOf(engine, pipelineId)).toEqual({
    pipeline: "ABORTED",
    a: "COMPLETED",
    b: "FAILED",
    c: "FAILED",
    d: "PENDING",
  });
  const { cancelDispatchIds } = await agent.beat();
  expect([...cancelDispatchIds].toSorted()).toEqual(inFlight.map(idOf).toSorted());
  for (const envelope of inFlight) {
    await expect(agent.report(envelope)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  }
  await expect(abortPipeline(engine, askedBy("operator"), { pipelineId })).rejects.toMatchObject({
    code: "INVALID_STATE",
  });
});
