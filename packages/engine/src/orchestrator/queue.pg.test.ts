import { afterEach, beforeEach, expect, test } from "vitest";
import { policyText } from "../testing/documents.ts";
import { idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { standingOf, submitType, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { resultFor } from "../testing/results.ts";
import { startAgent } from "../testing/scripted-agent.ts";
import { askedBy, openTestEngine, packOf, seedTenant, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

const pipelineOf = (dispatchId: string): string => dispatchId.slice(0, dispatchId.lastIndexOf("-d"));

test("FIFO: when capacity frees, the stage that has waited longest is sent first, and nobody who comes later overtakes", async () => {
  const { engine } = opened;
  await prepare(engine);
  const agent = workByHand(engine, "builder");
  await agent.beat({ capacity: { maxTasks: 1 } });
  const submitted = [];
  for (let count = 0; count < 8; count += 1) submitted.push(await submitType(engine, "build"));
  const served = [];
  for (let count = 0; count < 4; count += 1) {
    const envelope = await agent.takeOne();
    served.push(pipelineOf(idOf(envelope)));
    await agent.report(envelope);
    submitted.push(await submitType(engine, "build"));
  }
  for (let count = 0; count < 8; count += 1) served.push(pipelineOf(idOf(await agent.work("task"))));
  expect(served).toEqual(submitted);
});

test("3.3: an instance's capacity and the policy's limit of a pack hold under load", async () => {
  const { engine } = opened;
  await prepare(engine, {
    packs: [packOf("builder"), packOf("other")],
    policy: policyText({ build: ["builder", "other"] }, { admission: { max_per_pack_concurrent: 5 } }),
  });
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const change = (name: string, by: 1 | -1): void => {
    open.set(name, (open.get(name) ?? 0) + by);
    most.set(name, Math.max(most.get(name) ?? 0, open.get(name) ?? 0));
  };
  const start = (packId: string, instanceId: string) =>
    startAgent({
      engine: () => engine,
      asked: askedBy("agent"),
      packId,
      instanceId,
      maxTasks: 3,
      async work(envelope) {
        change(packId, 1);
        change(instanceId, 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        // It counts as open until the engine has its report.
        change(packId, -1);
        change(instanceId, -1);
        return resultFor(envelope);
      },
    });
  const agents = await Promise.all([
    start("builder", "b-1"),
    start("builder", "b-2"),
    start("builder", "b-3"),
    start("other", "o-1"),
  ]);
  const pipelineIds = await Promise.all(Array.from({ length: 150 }, () => submitType(engine, "build")));
  for (const pipelineId of pipelineIds) await waitForStatus(engine, pipelineId, "COMPLETED");
  for (const agent of agents) await agent.stop();
  expect(most.get("builder")).toBeLessThanOrEqual(5);
  for (const instance of ["b-1", "b-2", "b-3", "o-1"]) expect(most.get(instance) ?? 0).toBeLessThanOrEqual(3);
  expect(opened.failures).toEqual([]);
}, 60_000);

test("fairness: a tenant with 2,000 tasks that wait does not delay another's single one", async () => {
  const { engine } = opened;
  await seedTenant(engine.database, "small");
  await prepare(engine);
  await prepare(engine, {}, "small");
  const crowd = Array.from({ length: 2_000 }, () => submitType(engine, "build"));
  let crowdDone = false;
  const all = Promise.all(crowd).then((ids) => {
    crowdDone = true;
    return ids;
  });
  // The crowd's submissions stand in this engine's queue already.
  const small = workByHand(engine, "builder", "builder-1", "small");
  await small.beat();
  const pipelineId = await submitType(engine, "build", {}, askedBy("operator", "small"));
  expect(crowdDone).toBe(false);
  await all;

  // And with all of them waiting in the database for one slow agent.
  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "builder",
    instanceId: "builder-1",
    maxTasks: 100,
  });
  expect(pipelineOf(idOf(await small.work("task")))).toBe(pipelineId);
  const second = await submitType(engine, "build", {}, askedBy("operator", "small"));
  await small.work("task");
  await waitUntil(async () => (await standingOf(engine, second, "small"))["pipeline"] === "COMPLETED");
  const [last] = (await all).slice(-1);
  expect(await standingOf(engine, last ?? "")).toMatchObject({ pipeline: "RUNNING" });
  await agent.stop();
}, 60_000);

test("a stage that nobody may take yet waits in the line of its own task type, and not in the way of others", async () => {
  const { engine } = opened;
  await prepare(engine, {
    packs: [packOf("builder"), packOf("other")],
    policy: policyText({ build: ["builder"], check: ["other"] }),
    templates: [],
  });
  const other = workByHand(engine, "other");
  await other.beat();
  await submitType(engine, "build");
  await submitType(engine, "check");
  const served = await other.work("task");
  expect(served.routing).toMatchObject({ taskType: "check", selectedPackId: "other" });
});
