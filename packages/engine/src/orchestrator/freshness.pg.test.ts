import { setTimeout } from "node:timers/promises";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Confidence, RiskTier } from "@signalbox/contracts";
import type { RefreshOutcome } from "@signalbox/core";
import { afterEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { template } from "../testing/documents.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { answer, questionOf, standingOf, submitTemplate, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { openTestEngine, type TestEngine } from "../testing/test-engine.ts";

const minute = 60_000;
const withFreshness = (freshness: object) => [
  { id: "a", taskType: "build", extra: { handoff_policy: { freshness } } },
];

let opened: TestEngine;
let agent: HandWorkedAgent;
/** What the source says of each locator; a test changes it as the world would. */
const world = new Map<string, RefreshOutcome>();
const asked: string[] = [];

async function open() {
  world.clear();
  asked.length = 0;
  opened = await openTestEngine({
    refSource: ({ uriOrLocator }, tenantId) => {
      asked.push(`${tenantId}:${uriOrLocator}`);
      return Promise.resolve(world.get(uriOrLocator) ?? { kind: "failed", why: "the host is away" });
    },
  });
  await prepare(opened.engine, {
    templates: [
      template("lenient", withFreshness({ max_ref_staleness: "1m" })),
      template("gated", [
        { id: "a", taskType: "build" },
        {
          id: "b",
          taskType: "build",
          after: ["a"],
          extra: {
            context_propagation: { mode: "PREVIOUS", carry_artifacts: true },
            handoff_policy: { freshness: { max_ref_staleness: "1ms" } },
          },
        },
      ]),
      template("strict", withFreshness({ max_ref_staleness: "1m", require_digest: true })),
    ],
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
}
afterEach(() => opened.end());

const ref = (uriOrLocator: string, ageMs: number, digest = "sha256:a") => ({
  uriOrLocator,
  digest,
  fetchedAt: timestampFromMs(Date.now() - ageMs),
});
const timeout = { execution: { timeout: durationFromMs(minute) } };

async function freshnessOnRecord(pipelineId: string, action: string, stageId = "a") {
  const facts = await factsOf(opened.engine, { pipelineId });
  const snapshot = facts.find((one) => one.action === action && one.stageId === stageId)?.snapshot;
  return snapshot?.case === "dispatch" ? snapshot.value.refFreshness : undefined;
}

describe("3.2, step 4: refs that are stale", () => {
  test("DSP-71: are fetched anew first, and travel renewed", async () => {
    await open();
    world.set("repo/a", { kind: "refreshed", digest: "sha256:b", fetchedAt: Date.now() });
    const pipelineId = await submitTemplate(opened.engine, "lenient", {
      ...timeout,
      refs: [ref("repo/a", 2 * minute), ref("repo/b", 1)],
    });
    const envelope = await agent.takeOne();
    expect(envelope.refs).toMatchObject([
      { uriOrLocator: "repo/a", digest: "sha256:b" },
      { digest: "sha256:a" },
    ]);
    const checks = [
      { wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: false },
      { wasStale: false },
    ];
    expect(envelope.refFreshness).toMatchObject(checks);
    expect(await freshnessOnRecord(pipelineId, "dispatch.decided")).toMatchObject([
      { uriOrLocator: "repo/a", wasStale: true, refreshSucceeded: true },
      { uriOrLocator: "repo/b" },
    ]);
    expect(asked).toEqual(["default:repo/a"]);
  });

  test("continue with the degraded flag where the policy is not strict", async () => {
    await open();
    const pipelineId = await submitTemplate(opened.engine, "lenient", { refs: [ref("repo/a", 2 * minute)] });
    const envelope = await agent.work("a");
    expect(envelope.refFreshness).toMatchObject([{ wasStale: true, dispatchedWithDegraded: true }]);
    expect(await freshnessOnRecord(pipelineId, "dispatch.decided")).toMatchObject([
      { dispatchedWithDegraded: true },
    ]);
    await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  });

  test("block and ask a person where it is strict; retry fetches again and sends", async () => {
    await open();
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "strict", { refs: [ref("repo/a", 2 * minute)] });
    const question = await questionOf(engine, pipelineId, "a");
    expect(question).toMatchObject({
      cause: "dispatch-refused",
      problem: expect.stringMatching(/repo\/a.*the host is away/),
      impact: expect.stringContaining("waits for the answer"),
      options: ["retry", "accept", "abort"],
      recommended: "retry",
      blocking: true,
    });
    expect(await standingOf(engine, pipelineId)).toEqual({ pipeline: "PAUSED", a: "READY" });
    expect(await freshnessOnRecord(pipelineId, "dispatch.refused")).toMatchObject([
      { uriOrLocator: "repo/a", wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: false },
    ]);
    world.set("repo/a", { kind: "refreshed", digest: "sha256:a", fetchedAt: Date.now() });
    await answer(engine, question, { option: "retry", instructions: "" });
    expect((await agent.work("a")).execution?.attemptNumber).toBe(1);
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("block as well when the content is not what the task was given", async () => {
    await open();
    world.set("repo/a", { kind: "refreshed", digest: "sha256:other", fetchedAt: Date.now() });
    const pipelineId = await submitTemplate(opened.engine, "strict", { refs: [ref("repo/a", 2 * minute)] });
    expect((await questionOf(opened.engine, pipelineId)).problem).toMatch(/sha256:a.*sha256:other/);
  });

  test("block beyond the hard threshold, strict or not", async () => {
    await open();
    const pipelineId = await submitTemplate(opened.engine, "lenient", { refs: [ref("repo/a", 11 * minute)] });
    expect((await questionOf(opened.engine, pipelineId)).problem).toMatch(/repo\/a/);
  });

  test("ESC-13: what a long gate made too old is accepted by a person, and goes on with that on record", async () => {
    await open();
    const { engine } = opened;
    world.set("out.ts", { kind: "failed", why: "it is no URL", forGood: true });
    const pipelineId = await submitTemplate(engine, "gated", { execution: { riskTier: RiskTier.NORMAL } });
    const confidence = Confidence.UNCERTAIN;
    await agent.work("a", { confidence, artifacts: [{ path: "out.ts", digest: "sha256:o" }] });
    const gate = await questionOf(engine, pipelineId, "a");
    // More than ten times what is allowed goes by.
    await setTimeout(20);
    await answer(engine, gate, { option: "advance" });
    const first = await questionOf(engine, pipelineId, "b");
    expect(first).toMatchObject({
      problem: expect.stringMatching(/out\.ts.*more than 10 times older.*it is no URL/),
      options: ["retry", "accept", "abort"],
      recommended: "accept",
      staleRefs: [{ uriOrLocator: "out.ts", digest: "sha256:o" }],
    });
    await answer(engine, first, { option: "retry", instructions: "" });
    const again = await questionOf(engine, pipelineId, "b");
    expect(again.escalationId).not.toBe(first.escalationId);
    await answer(engine, again, { option: "accept" });
    const envelope = await agent.work("b");
    expect(envelope).toMatchObject({
      execution: { attemptNumber: 1 },
      refs: [{ uriOrLocator: "out.ts", digest: "sha256:o" }],
      refFreshness: [{ uriOrLocator: "out.ts", wasStale: true, dispatchedWithDegraded: true }],
    });
    expect(await freshnessOnRecord(pipelineId, "dispatch.decided", "b")).toMatchObject([
      { dispatchedWithDegraded: true },
    ]);
    const facts = await factsOf(engine, { pipelineId });
    expect(facts.find(({ action }) => action === "escalation.resolved.accept")).toMatchObject({
      stageId: "b",
      snapshot: { value: { resolution: "accept", problem: again.problem } },
      changes: expect.arrayContaining([
        expect.objectContaining({
          set: expect.objectContaining({ acceptedRefs: [{ uriOrLocator: "out.ts", digest: "sha256:o" }] }),
        }),
      ]),
    });
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("ESC-13: what differs from its pin is not accepted", async () => {
    await open();
    const { engine } = opened;
    world.set("repo/a", { kind: "refreshed", digest: "sha256:other", fetchedAt: Date.now() });
    const pipelineId = await submitTemplate(engine, "strict", { refs: [ref("repo/a", 2 * minute)] });
    const question = await questionOf(engine, pipelineId);
    expect(question.options).toEqual(["retry", "abort"]);
    await expect(answer(engine, question, { option: "accept" })).rejects.toThrow(/"accept" is not offered/);
  });
});
