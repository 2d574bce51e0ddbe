import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { actionsOf } from "../testing/audit.ts";
import { template } from "../testing/documents.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  endOf,
  questionOf,
  standingOf,
  stateOf,
  submitTemplate,
  waitForStatus,
} from "../testing/pipelines.ts";
import { chain, chainStages, diamond, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { abortPipeline, pausePipeline, resumePipeline } from "./person-commands.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, {
    templates: [
      chain({ pipeline_deadline: "1h" }),
      diamond(),
      template("short", chainStages, { pipeline_deadline: "1s" }),
    ],
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

const operator = askedBy("operator");

describe("a pause by a person", () => {
  test("PAUSE-1: what is in flight finishes and counts, and nothing new is sent until somebody resumes", async () => {
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "diamond");
    const first = await agent.takeOne();
    await pausePipeline(engine, operator, { pipelineId, note: "wait for the freeze" });
    expect((await agent.beat()).cancelDispatchIds).toEqual([]);
    await agent.report(first);
    expect(await standingOf(engine, pipelineId)).toEqual({
      pipeline: "PAUSED",
      a: "COMPLETED",
      b: "READY",
      c: "READY",
      d: "PENDING",
    });
    expect(await agent.take(10, 600)).toEqual([]);

    await resumePipeline(engine, operator, { pipelineId });
    expect(await agent.take(2)).toHaveLength(2);
    expect(await standingOf(engine, pipelineId)).toMatchObject({ b: "DISPATCHED", c: "DISPATCHED" });
  });

  test("CLOCK-1 D13: the clock stands still while it is paused", async () => {
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    await pausePipeline(engine, operator, { pipelineId });
    const { clock } = await stateOf(engine, pipelineId);
    expect(clock.runningSince).toBeNull();
    await pause(50);
    await resumePipeline(engine, operator, { pipelineId });
    const resumed = await stateOf(engine, pipelineId);
    expect(resumed.clock.remainingMs).toBe(clock.remainingMs);
    expect(resumed.clock.runningSince).not.toBeNull();
  });

  test("PERMIT-2: twice, or of what does not run, it is refused and changes nothing", async () => {
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    await expect(resumePipeline(engine, operator, { pipelineId })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    await pausePipeline(engine, operator, { pipelineId });
    const before = await stateOf(engine, pipelineId);
    await expect(pausePipeline(engine, operator, { pipelineId })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    await expect(pausePipeline(engine, operator, { pipelineId: "nowhere" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    for (const role of ["viewer", "approver", "auditor", "agent"] as const) {
      await expect(resumePipeline(engine, askedBy(role), { pipelineId })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    }
    expect(await stateOf(engine, pipelineId)).toEqual(before);
  });
});

/** Its deadline came while the first stage was in flight. */
async function expired() {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "short");
  const inFlight = await agent.takeOne();
  const question = await questionOf(engine, pipelineId, null);
  expect(question).toMatchObject({
    cause: "deadline",
    problem: expect.any(String),
    impact: expect.stringContaining("clock stands still"),
    options: ["extend", "resume", "abort"],
    recommended: expect.stringMatching(/^(extend|resume|abort)$/),
    blocking: true,
  });
  expect(await standingOf(engine, pipelineId)).toMatchObject({ pipeline: "PAUSED", a: "DISPATCHED" });
  return { pipelineId, inFlight, question };
}

describe("CLOCK-3: a deadline that has come pauses and asks", () => {
  test("CLOCK-5: a plain resume does not pass the question over", async () => {
    const { pipelineId } = await expired();
    await expect(resumePipeline(opened.engine, operator, { pipelineId })).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
  });

  test("extend gives it so much more", async () => {
    const { engine } = opened;
    const { pipelineId, inFlight, question } = await expired();
    await agent.report(inFlight);
    await expect(answer(engine, question, { option: "extend", byMs: 0 })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    await answer(engine, question, { option: "extend", byMs: 3_600_000 });
    expect((await stateOf(engine, pipelineId)).clock.remainingMs).toBe(3_600_000);
    await agent.work("b");
    await agent.work("c");
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("resume lets it go on without a deadline", async () => {
    const { engine } = opened;
    const { pipelineId, inFlight, question } = await expired();
    await answer(engine, question, { option: "resume" });
    expect((await stateOf(engine, pipelineId)).clock.remainingMs).toBeNull();
    await agent.report(inFlight);
    await agent.work("b");
    await agent.work("c");
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("abort ends it, ABORT-1 with both steps on record", async () => {
    const { engine } = opened;
    const { pipelineId, inFlight, question } = await expired();
    await answer(engine, question, { option: "abort" });
    expect(await standingOf(engine, pipelineId)).toMatchObject({ pipeline: "ABORTED", a: "FAILED" });
    expect(await endOf(engine, question)).toMatchObject({
      kind: "resolved",
      resolution: { option: "abort" },
    });
    await expect(agent.report(inFlight)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
    expect(await actionsOf(engine, pipelineId)).toEqual(
      expect.arrayContaining([
        "pipeline.paused-on-deadline",
        "escalation.resolved.abort",
        "pipeline.aborted",
      ]),
    );
  });

  test("ESC-5: an abort by a person closes the question as superseded", async () => {
    const { engine } = opened;
    const { pipelineId, question } = await expired();
    await abortPipeline(engine, operator, { pipelineId, note: "too late anyway" });
    expect(await endOf(engine, question)).toEqual({ kind: "superseded", why: "pipeline-ended" });
    await expect(answer(engine, question, { option: "resume" })).rejects.toMatchObject({
      code: "ALREADY_RESOLVED",
    });
  });
});
