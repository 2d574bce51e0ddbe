import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { AuditEventType } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, describe, expect, test } from "vitest";
import { quarantineInstance } from "../registry/instances.ts";
import { actionsOf, factsOf } from "../testing/audit.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  openQuestions,
  questionOf,
  stateOf,
  submitTemplate,
  waitForStatus,
} from "../testing/pipelines.ts";
import { builderPolicy, chainStages, prepare } from "../testing/prepare.ts";
import { template } from "../testing/documents.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
const twice = { handoff_policy: { retry: { max_attempts: 2, initial_backoff: "10ms" } } };

async function open(options: Parameters<typeof openTestEngine>[0] = {}, admission: object = {}) {
  opened = await openTestEngine(options);
  const stages = chainStages.map((stage) => Object.assign({ extra: twice }, stage));
  await prepare(opened.engine, {
    templates: [template("chain", stages)],
    policy: builderPolicy({ admission }),
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
}
afterEach(() => opened.end());

const attemptOf = async (pipelineId: string) =>
  (await stateOf(opened.engine, pipelineId)).stages[0]?.attemptNumber;
const timesOut = { execution: { timeout: durationFromMs(700) } };

describe("3.2, step 6: a dispatch whose time is over", () => {
  test("SENT-4 D6: is cancelled, told at the heartbeat and tried again; what is reported late is kept and changes nothing", async () => {
    await open();
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain", timesOut);
    const late = await agent.takeOne();
    expect(late.execution?.timeout).toEqual(durationFromMs(700));
    const again = await agent.takeOne();
    expect(again.execution).toMatchObject({
      attemptNumber: 2,
      idempotencyKey: late.execution?.idempotencyKey,
    });
    expect((await agent.beat()).cancelDispatchIds).toEqual([idOf(late)]);

    const before = await stateOf(engine, pipelineId);
    await expect(agent.report(late)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
    await expect(agent.renew(late)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
    expect(await stateOf(engine, pipelineId)).toEqual(before);
    expect((await agent.beat()).cancelDispatchIds).toEqual([]);
    expect(await actionsOf(engine, pipelineId)).toContain("result.stale");
    const kept = await readRows(
      opened.made.url,
      `select standing, attempt_number from signalbox.results where pipeline_id = '${pipelineId}'`,
    );
    expect(kept).toEqual([{ standing: "stale", attempt_number: 1 }]);

    const [timedOut] = await factsOf(engine, { pipelineId, eventType: AuditEventType.DISPATCH_TIMEOUT });
    expect(timedOut).toMatchObject({
      dispatchId: idOf(late),
      snapshot: {
        case: "dispatch-end",
        value: { packId: "builder", instanceId: "builder-1", cancelSent: true },
      },
    });
    const ended = timedOut?.snapshot?.case === "dispatch-end" ? timedOut.snapshot.value : undefined;
    expect(ended?.durationMs).toBeGreaterThanOrEqual(700);
    expect(ended?.dueAt).not.toBeNull();
    await agent.report(again);
    await agent.work("b");
  });

  test("ATTEMPT-1: a second time its budget is spent, and a person is asked", async () => {
    await open();
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain", timesOut);
    await agent.takeOne();
    await agent.takeOne();
    const question = await questionOf(engine, pipelineId, "a");
    expect(question).toMatchObject({
      cause: "stage-failed",
      problem: expect.stringMatching(/no attempt left/),
      options: ["retry", "rewind", "abort"],
      recommended: "retry",
      blocking: true,
    });
    await answer(engine, question, { option: "retry", instructions: "be quick" });
    expect((await agent.takeOne()).execution?.attemptNumber).toBe(3);
  });
});

describe("3.2, step 5: a transport failure", () => {
  test("SENT-3: a dispatch that nobody takes is sent again with backoff, and its instance is told to stop all the same", async () => {
    await open({ takeWithinMs: 500 });
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    await waitUntil(async () => (await attemptOf(pipelineId)) === 2);
    expect((await agent.beat()).cancelDispatchIds).toEqual([`${pipelineId}-d0.1`]);
    const taken = await agent.takeOne();
    expect(taken.execution?.attemptNumber).toBe(2);
    expect(await actionsOf(engine, pipelineId)).toContain("dispatch.transport-failed");
    await agent.report(taken);
    await agent.work("b");
    await agent.work("c");
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("SENT-9 D5: it is nobody's attempt: no retry is spent, and the pack's breaker learns nothing of it", async () => {
    await open(
      { takeWithinMs: 500 },
      { circuit_breaker: { error_threshold: 1, window: "60s", half_open_after: "60s" } },
    );
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    await waitUntil(async () => (await attemptOf(pipelineId)) === 2);
    const { stages, retriesUsed } = await stateOf(engine, pipelineId);
    expect([stages[0]?.retriesUsed, retriesUsed]).toEqual([0, 0]);
    const taken = await agent.takeOne();
    expect(taken.execution?.attemptNumber).toBe(2);
    await agent.report(taken);
  });

  test("within bounds only: then a person is asked", async () => {
    await open({ takeWithinMs: 300 });
    const pipelineId = await submitTemplate(opened.engine, "chain");
    const question = await questionOf(opened.engine, pipelineId, "a");
    expect(question).toMatchObject({
      cause: "stage-failed",
      problem: expect.stringMatching(/take|transport/),
    });
    await answer(opened.engine, question, { option: "abort" });
    expect(await openQuestions(opened.engine)).toEqual([]);
  });
});

describe("SENT-12: who lost a stage", () => {
  test("does not get it again while another can take it, though it is idle and sends heartbeats", async () => {
    await open({ takeWithinMs: 300 });
    const { engine } = opened;
    const other = workByHand(engine, "builder", "builder-2");
    await other.beat();
    const instanceOf = async (one: string) => (await stateOf(engine, one)).stages[0]?.dispatch?.instanceId;
    const busyWith = await submitTemplate(engine, "chain");
    const [well, zombie] =
      (await instanceOf(busyWith)) === "builder-2" ? [other, "builder-1"] : [agent, "builder-2"];
    const first = await well.takeOne();
    // The other has nothing to do, so it goes first; and takes nothing.
    const pipelineId = await submitTemplate(engine, "chain");
    expect(await instanceOf(pipelineId)).toBe(zombie);

    const envelope = await well.takeOne();
    expect(envelope.execution).toMatchObject({ attemptNumber: 2, idempotencyKey: `${pipelineId}/a` });
    expect((await stateOf(engine, pipelineId)).stages[0]?.lostBy).toEqual([
      { packId: "builder", instanceId: zombie },
    ]);
    await well.report(envelope);
    await well.report(first);
    expect(await attemptOf(busyWith)).toBe(1);
  });
});

describe("QUAR-7: an instance that was quarantined since", () => {
  test("is not given what it did not take yet; another takes it", async () => {
    await open({ takeWithinMs: 500 });
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    const { dispatch } = (await stateOf(engine, pipelineId)).stages[0] ?? {};
    expect(dispatch?.instanceId).toBe("builder-1");
    await quarantineInstance(engine, askedBy("operator"), {
      packId: "builder",
      instanceId: "builder-1",
      note: "Its disk is full.",
    });
    expect(await agent.take(1, 100)).toEqual([]);
    const other = workByHand(engine, "builder", "builder-2");
    await other.beat();
    expect((await other.takeOne()).execution?.idempotencyKey).toBe(`${pipelineId}/a`);
  });
});

test("who asks for work by a pack's name that there is not is told so, and does not wait", async () => {
  await open();
  await expect(workByHand(opened.engine, "bulider").take(1, 60_000)).rejects.toMatchObject({
    code: "NOT_FOUND",
    detail: expect.stringContaining("bulider"),
  });
});

describe("D8: lease and heartbeat are two facts", () => {
  test("SENT-5: an instance that heartbeats and does not renew loses the dispatch", async () => {
    await open({ dispatchLeaseMs: 700 });
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    const lost = await agent.takeOne();
    await waitUntil(async () => {
      await agent.beat();
      return (await attemptOf(pipelineId)) === 2;
    });
    expect(await actionsOf(engine, pipelineId)).toContain("dispatch.lease-lost");
    await expect(agent.report(lost)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
    await agent.work("a");
  });

  test("one that renews keeps it, whether or not it heartbeats", async () => {
    await open({ dispatchLeaseMs: 1_000 });
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    const held = await agent.takeOne();
    const end = Date.now() + 2_500;
    await waitUntil(async () => {
      await agent.renew(held);
      return Date.now() > end;
    });
    expect(await attemptOf(pipelineId)).toBe(1);
    await agent.report(held);
    expect(await actionsOf(engine, pipelineId)).not.toContain("dispatch.lease-lost");
  });
});
