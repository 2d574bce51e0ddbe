import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { idOf, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  questionOf,
  standingOf,
  submitTemplate,
  submitType,
  waitForStatus,
} from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { startAgent } from "../testing/scripted-agent.ts";
import { askedBy, openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { abortPipeline } from "./person-commands.ts";

let opened: TestEngine;
let other: Engine;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  other = await opened.another();
});
afterEach(() => opened.end());

test("an agent leases on one engine what the other dispatched, and reports on either", async () => {
  const here = workByHand(opened.engine, "builder");
  const there = workByHand(other, "builder");
  await there.beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  const first = await there.takeOne();
  await here.report(first);
  const second = await here.takeOne();
  await there.renew(second);
  await there.report(second);
  await here.work("c");
  await waitForStatus(other, pipelineId, "COMPLETED");
  expect(opened.failures).toEqual([]);
});

test("an agent that waits on one engine is given what the other sends later", async () => {
  const there = workByHand(other, "builder");
  await there.beat();
  const waiting = there.takeOne();
  const pipelineId = await submitType(opened.engine, "build");
  const taken = await waiting;
  expect(idOf(taken)).toBe(`${pipelineId}-d0.1`);
  await there.report(taken);
});

test("a policy published on one decides on the other; a question of one is answered on the other", async () => {
  const { engine } = opened;
  await workByHand(engine, "builder").beat();
  const pipelineId = await submitType(engine, "unheard-of");
  const question = await questionOf(other, pipelineId);
  await publishPolicy(other, builderPolicy({ version: "1.1.0" }).replace('"build"', '"unheard-of"'));
  await answer(other, question, { option: "retry", instructions: "" });
  const taken = await workByHand(engine, "builder").work("task");
  expect(taken.routing?.routingPolicyVersion).toBe("1.1.0");
  await expect(answer(engine, question, { option: "abort" })).rejects.toMatchObject({
    code: "ALREADY_RESOLVED",
  });
});

test.each(["who comes anew", "who never was away"])(
  "what waited when the processes ended is served by the next one for an agent %s, though nothing else asks for anything",
  async (who) => {
    const { engine } = opened;
    if (who === "who never was away") await workByHand(engine, "builder").beat({ capacity: { maxTasks: 0 } });
    const waiting = await submitType(engine, "build");
    expect(await standingOf(other, waiting)).toMatchObject({ task: "READY" });
    await engine.stop();
    await other.stop();
    const next = await opened.another();
    const agent = workByHand(next, "builder");
    await agent.beat();
    await agent.work("task");
    await waitForStatus(next, waiting, "COMPLETED");
  },
);

test("what one engine let wait is sent by the other once somebody is free, and the first has gone", async () => {
  const { engine } = opened;
  const there = workByHand(other, "builder");
  await there.beat({ capacity: { maxTasks: 1 } });
  // The other engine knows the tenant's queue, and knows it as empty.
  const first = await submitType(other, "build");
  const waiting = await submitType(engine, "build");
  expect(await standingOf(other, waiting)).toMatchObject({ task: "READY" });
  await engine.stop();
  const taken = await there.takeOne();
  await there.report(taken);
  await waitForStatus(other, first, "COMPLETED");
  await there.work("task");
  await waitForStatus(other, waiting, "COMPLETED");
});

test("what one engine sent of the other's queue is not counted there for ever", async () => {
  const { engine } = opened;
  await publishPolicy(engine, builderPolicy({ version: "1.1.0", admission: { max_global_queue_depth: 3 } }));
  // Nobody is there: these wait, and this engine counts them.
  const waiting = [
    await submitType(engine, "build"),
    await submitType(engine, "build"),
    await submitType(engine, "build"),
  ];
  // They are ended behind its back.
  for (const pipelineId of waiting) await abortPipeline(other, askedBy("operator"), { pipelineId });
  const agent = workByHand(other, "builder");
  await agent.beat();
  let sent = "";
  await waitUntil(async () => {
    const next = await submitType(engine, "build");
    if ((await standingOf(engine, next))["task"] === "DISPATCHED") sent = next;
    else await abortPipeline(engine, askedBy("operator"), { pipelineId: next });
    return sent !== "";
  }, 8_000);
  expect(await standingOf(other, sent)).toEqual({ pipeline: "RUNNING", task: "DISPATCHED" });
});

test("both work on the same pipelines, and each is done once", async () => {
  const agents = await Promise.all(
    [opened.engine, other].map((engine, place) =>
      startAgent({
        engine: () => engine,
        asked: askedBy("agent"),
        packId: "builder",
        instanceId: `builder-${place}`,
      }),
    ),
  );
  const pipelineIds = await Promise.all(
    Array.from({ length: 60 }, (_, place) =>
      submitTemplate(place % 2 === 0 ? opened.engine : other, "diamond"),
    ),
  );
  for (const pipelineId of pipelineIds) await waitForStatus(other, pipelineId, "COMPLETED");
  for (const agent of agents) await agent.stop();
  expect(opened.failures).toEqual([]);
}, 60_000);
