import { setTimeout as pause } from "node:timers/promises";
import { AuditEventType, Outcome } from "@signalbox/contracts";
import { readDispatchRecord } from "@signalbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  openQuestions,
  questionOf,
  standingOf,
  submitType,
  waitForStatus,
} from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

/** What the refusal on record says it was judged on. */
async function refusalOf(pipelineId: string) {
  const facts = await factsOf(opened.engine, { pipelineId });
  const refused = facts.find(({ action }) => action === "dispatch.refused");
  if (refused?.snapshot?.case !== "dispatch") throw new Error("no refusal is on record");
  return readDispatchRecord(refused.snapshot.value.rejectionReasons ?? "");
}

const asksToRetry = {
  cause: "dispatch-refused",
  problem: expect.any(String),
  impact: expect.stringContaining("waits for the answer"),
  options: ["retry", "abort"],
  recommended: "retry",
  blocking: true,
};

/** What the ESCALATION entry itself says is the matter. */
async function problemOnRecord(pipelineId: string): Promise<string> {
  const [asked] = await factsOf(opened.engine, { pipelineId, eventType: AuditEventType.ESCALATION });
  return (asked?.snapshot?.case === "escalation" && asked.snapshot.value.problem) || "";
}

test("DSP-2: a queue that is full rejects the next one and asks a person; retry sends it once there is room", async () => {
  const { engine } = opened;
  await prepare(engine, { policy: builderPolicy({ admission: { max_global_queue_depth: 2 } }) });
  // Nobody is there: the first two wait.
  const waiting = [await submitType(engine, "build"), await submitType(engine, "build")];
  const rejected = await submitType(engine, "build");
  const question = await questionOf(engine, rejected);
  expect(question).toMatchObject(asksToRetry);
  // 5.4: queue depth, in the entry of the question and with all facts in that of the decision.
  expect(await problemOnRecord(rejected)).toContain("the queue is full, with 2 stages waiting");
  expect(await refusalOf(rejected)).toMatchObject({
    outcome: "escalate: queue-full",
    request: { queueDepth: 2 },
  });
  const agent = workByHand(engine, "builder");
  await agent.beat();
  for (const _ of waiting) await agent.work("task");
  await answer(engine, question, { option: "retry", instructions: "" });
  await agent.work("task");
  await waitForStatus(engine, rejected, "COMPLETED");
});

test("DSP-2: whoever was let into the queue is not thrown out of it by those who come later", async () => {
  const { engine } = opened;
  await prepare(engine, { policy: builderPolicy({ admission: { max_global_queue_depth: 3 } }) });
  const all = [];
  for (let count = 0; count < 6; count += 1) all.push(await submitType(engine, "build"));
  const asked = async () => (await openQuestions(engine)).map(({ pipelineId }) => pipelineId);
  await waitUntil(async () => (await asked()).length === 3);
  // Two rounds of the sweeps, in which each of those that wait is looked at.
  await pause(2_500);
  expect((await asked()).toSorted()).toEqual(all.slice(3).toSorted());
});

test("D23: a task type without a route is asked of a person, whatever the default fallback says", async () => {
  const { engine } = opened;
  await prepare(engine, { policy: builderPolicy({ defaults: { fallback_pack_id: "builder" } }) });
  await workByHand(engine, "builder").beat();
  const pipelineId = await submitType(engine, "unheard-of");
  const question = await questionOf(engine, pipelineId);
  expect(question).toMatchObject({ ...asksToRetry, problem: expect.stringContaining("unheard-of") });
  await answer(engine, question, { option: "abort" });
  expect(await standingOf(engine, pipelineId)).toMatchObject({ pipeline: "ABORTED" });
});

describe("D5: the breaker of a pack and task type", () => {
  const failing = { outcome: Outcome.RETRYABLE_FAILURE };

  async function opensAfterTwo() {
    const { engine } = opened;
    const breaker = { error_threshold: 2, window: "60s", half_open_after: "1s" };
    await prepare(engine, { policy: builderPolicy({ admission: { circuit_breaker: breaker } }) });
    const agent = workByHand(engine, "builder");
    await agent.beat();
    for (let failures = 0; failures < 2; failures += 1) {
      await submitType(engine, "build");
      await agent.work("task", { ...failing, outcome: Outcome.NON_RETRYABLE_FAILURE });
    }
    return agent;
  }

  test("open, it rejects the task type and asks a person, with its state on record; another task type is not concerned", async () => {
    const agent = await opensAfterTwo();
    const { engine } = opened;
    const pipelineId = await submitType(engine, "build");
    const question = await questionOf(engine, pipelineId);
    expect(question).toMatchObject({ ...asksToRetry, problem: expect.stringMatching(/breaker/i) });
    // 5.4: circuit breaker state and queue depth.
    expect(await problemOnRecord(pipelineId)).toMatch(
      /is open \(builder since \d{4}-\d\d-\d\dT.*Z\), with 0 stages waiting/,
    );
    expect(await refusalOf(pipelineId)).toMatchObject({
      outcome: "escalate: breakers-open",
      breakers: [{ packId: "builder", taskType: "build", state: { kind: "open" } }],
    });
    await submitType(engine, "check");
    await agent.work("task");
  });

  test("half-open, it lets one probe through; a success closes it again", async () => {
    const agent = await opensAfterTwo();
    const { engine } = opened;
    await waitUntil(async () => {
      const probe = await submitType(engine, "build");
      return (await standingOf(engine, probe))["task"] === "DISPATCHED";
    });
    const probe = await agent.takeOne();
    const meanwhile = await submitType(engine, "build");
    expect(await standingOf(engine, meanwhile)).toMatchObject({ pipeline: "RUNNING", task: "READY" });
    await agent.report(probe);
    await agent.work("task");
    await waitForStatus(engine, meanwhile, "COMPLETED");
    const [one, other] = [await submitType(engine, "build"), await submitType(engine, "build")];
    expect(await agent.take(2)).toHaveLength(2);
    expect(await standingOf(engine, one)).toMatchObject({ task: "DISPATCHED" });
    expect(await standingOf(engine, other)).toMatchObject({ task: "DISPATCHED" });
  });

  test("half-open, a probe that fails opens it again", async () => {
    const agent = await opensAfterTwo();
    const { engine } = opened;
    await waitUntil(async () => {
      const probe = await submitType(engine, "build");
      return (await standingOf(engine, probe))["task"] === "DISPATCHED";
    });
    await agent.work("task", { outcome: Outcome.NON_RETRYABLE_FAILURE });
    const rejected = await submitType(engine, "build");
    expect((await questionOf(engine, rejected)).problem).toMatch(/breaker/i);
  });

  test("failures that arrive together all count", async () => {
    const { engine } = opened;
    const breaker = { error_threshold: 12, window: "60s", half_open_after: "60s" };
    await prepare(engine, { policy: builderPolicy({ admission: { circuit_breaker: breaker } }) });
    const agent = workByHand(engine, "builder");
    await agent.beat({ capacity: { maxTasks: 100 } });
    await Promise.all(Array.from({ length: 12 }, () => submitType(engine, "build")));
    const envelopes = [];
    while (envelopes.length < 12) envelopes.push(...(await agent.take()));
    await Promise.all(
      envelopes.map((envelope) => agent.report(envelope, { outcome: Outcome.NON_RETRYABLE_FAILURE })),
    );
    const rejected = await submitType(engine, "build");
    expect((await questionOf(engine, rejected)).problem).toMatch(/breaker/i);
  });
});

test("a policy that is published decides the next dispatch, and its version is on record", async () => {
  const { engine } = opened;
  await prepare(engine);
  const agent = workByHand(engine, "builder");
  await agent.beat();
  await submitType(engine, "build");
  const first = await agent.work("task");
  await publishPolicy(engine, builderPolicy({ version: "1.1.0" }));
  const pipelineId = await submitType(engine, "build");
  const second = await agent.work("task");
  expect([first, second].map(({ routing }) => routing?.routingPolicyVersion)).toEqual(["1.0.0", "1.1.0"]);
  const decided = (await factsOf(engine, { pipelineId })).find(({ action }) => action === "dispatch.decided");
  expect(decided?.snapshot).toMatchObject({ case: "dispatch", value: { routingPolicyVersion: "1.1.0" } });
});
