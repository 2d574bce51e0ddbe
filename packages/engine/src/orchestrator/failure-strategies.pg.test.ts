import { Outcome } from "@signalbox/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { template } from "../testing/documents.ts";
import { type HandWorkedAgent, idOf, stageOf, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  endOf,
  questionOf,
  standingOf,
  stateOf,
  submitTemplate,
  waitForStatus,
} from "../testing/pipelines.ts";
import { chain, diamond, diamondStages, prepare } from "../testing/prepare.ts";
import { openTestEngine, type TestEngine } from "../testing/test-engine.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
const once = { handoff_policy: { retry: { max_attempts: 1 } } };
const lastAttempt = diamondStages.map((stage) => ({ ...stage, extra: once }));

beforeEach(async () => {
  opened = await openTestEngine();
  const optionalB = diamondStages.map((stage) =>
    stage.id === "b" ? { ...stage, extra: { ...once, required: false } } : { ...stage, extra: once },
  );
  await prepare(opened.engine, {
    templates: [
      template("fail-fast", lastAttempt, { failure_strategy: "FAIL_FAST" }),
      template("skip-failed", optionalB, { failure_strategy: "SKIP_FAILED" }),
      template("pause", lastAttempt, { failure_strategy: "PAUSE" }),
      template("budget", diamondStages, { failure_strategy: "PAUSE", max_total_retries: 1 }),
      { ...chain({ max_rejections: 1, failure_strategy: "PAUSE" }, "rejections") },
      diamond(),
    ],
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

/** Both branches of the diamond, taken. */
async function branches(templateId: string) {
  const pipelineId = await submitTemplate(opened.engine, templateId);
  await agent.work("a");
  const envelopes = await agent.take(2);
  const named = new Map(envelopes.map((envelope) => [stageOf(envelope), envelope]));
  const b = named.get("b");
  const c = named.get("c");
  if (b === undefined || c === undefined) throw new Error("the branches were not sent");
  return { pipelineId, b, c };
}
const failure = { outcome: Outcome.NON_RETRYABLE_FAILURE } as const;

test("FAIL-1 FAIL_FAST: a final failure fails the pipeline, and the other branch is called off", async () => {
  const { pipelineId, b, c } = await branches("fail-fast");
  await agent.report(b, failure);
  expect(await standingOf(opened.engine, pipelineId)).toMatchObject({ pipeline: "FAILED", b: "FAILED" });
  expect((await agent.beat()).cancelDispatchIds).toEqual([idOf(c)]);
  await expect(agent.report(c)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
});

test("FAIL-2 SKIP_FAILED: a stage that is not required is skipped, and what waits for it goes on", async () => {
  const { pipelineId, b, c } = await branches("skip-failed");
  await agent.report(b, failure);
  await agent.report(c);
  await agent.work("d");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect(await standingOf(opened.engine, pipelineId)).toMatchObject({ b: "SKIPPED", d: "COMPLETED" });
});

test("FAIL-2 SKIP-1 SKIP_FAILED: a required stage is never skipped; a person is asked", async () => {
  const { pipelineId, b, c } = await branches("skip-failed");
  await agent.report(b);
  await agent.report(c, failure);
  const question = await questionOf(opened.engine, pipelineId, "c");
  expect(question).toMatchObject({ cause: "stage-failed", options: ["retry", "rewind", "abort"] });
});

test("FAIL-3 PAUSE-4 PAUSE: a final failure asks a person while the other branch goes on", async () => {
  const { engine } = opened;
  const { pipelineId, b, c } = await branches("pause");
  await agent.report(b, failure);
  const question = await questionOf(engine, pipelineId, "b");
  expect(question).toMatchObject({
    cause: "stage-failed",
    problem: expect.stringContaining('"b"'),
    impact: expect.stringContaining("1 stage waits"),
    options: ["retry", "rewind", "abort"],
    recommended: "retry",
    blocking: true,
  });
  await agent.report(c);
  await waitForStatus(engine, pipelineId, "PAUSED");
  await answer(engine, question, { option: "retry", instructions: "use the other library" });
  expect(await endOf(engine, question)).toMatchObject({ kind: "resolved", by: { id: "approver" } });
  const again = await agent.work("b");
  expect(again.execution?.attemptNumber).toBe(2);
  expect(again.contextIn?.taskDelta).toContain("use the other library");
  await agent.work("d");
  await waitForStatus(engine, pipelineId, "COMPLETED");
});

describe("exhausted budgets ask a person", () => {
  const retryable = { outcome: Outcome.RETRYABLE_FAILURE } as const;

  test("ATTEMPT-1 when the stage has no attempt left", async () => {
    const { pipelineId, b } = await branches("pause");
    await agent.report(b, retryable);
    const question = await questionOf(opened.engine, pipelineId, "b");
    expect(question).toMatchObject({
      cause: "stage-failed",
      problem: expect.stringMatching(/no attempt left/),
    });
  });

  test("ATTEMPT-2 when the pipeline has no retry left, whichever stage asks for it", async () => {
    const { engine } = opened;
    const { pipelineId, b, c } = await branches("budget");
    await agent.report(b, retryable);
    await agent.work("b");
    await agent.report(c, retryable);
    const question = await questionOf(engine, pipelineId, "c");
    expect(question).toMatchObject({
      cause: "stage-failed",
      problem: expect.stringMatching(/no retry left/),
    });
    await answer(engine, question, { option: "retry", instructions: "" });
    await agent.work("c");
    await agent.work("d");
    await waitForStatus(engine, pipelineId, "COMPLETED");
    expect((await stateOf(engine, pipelineId)).retriesUsed).toBe(1);
  });

  test("VERDICT-7 when what was sent back once is sent back again", async () => {
    const { engine } = opened;
    const sentBack: Parameters<HandWorkedAgent["report"]>[1] = {
      ...failure,
      blockers: [{ description: "wrong", suggestedResolution: "rewind: a" }],
    };
    const pipelineId = await submitTemplate(engine, "rejections");
    for (const end of [sentBack, sentBack]) {
      await agent.work("a");
      await agent.work("b", end);
    }
    const question = await questionOf(engine, pipelineId, "b");
    expect(question).toMatchObject({ cause: "stage-failed", options: ["retry", "rewind", "abort"] });
    await answer(engine, question, { option: "rewind", stageId: "a", instructions: "start from the schema" });
    expect((await agent.takeOne()).contextIn?.taskDelta).toContain("start from the schema");
    expect(await endOf(engine, question)).toMatchObject({ resolution: { option: "rewind" } });
    expect((await stateOf(engine, pipelineId)).rejectionsUsed).toBe(1);
  });
});
