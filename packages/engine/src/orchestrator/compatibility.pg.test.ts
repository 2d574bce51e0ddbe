import { HealthStatus, RiskTier } from "@signalbox/contracts";
import { readDispatchRecord } from "@signalbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { policyText } from "../testing/documents.ts";
import { workByHand } from "../testing/hand-worked-agent.ts";
import { answer, questionOf, standingOf, submitType, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import {
  openTestEngine,
  packOf,
  publishPolicy,
  registerPacks,
  type TestEngine,
} from "../testing/test-engine.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

const lowOnly = {
  supportedSchemaVersions: ["^1.0.0"],
  acceptedRiskTiers: ["RISK_TIER_LOW"],
  maxConcurrentTasks: 10,
};
const low = (packId: string) =>
  packOf(packId, { safetyTier: RiskTier.LOW, interface: packInterface(lowOnly) });
const packInterface = (said: typeof lowOnly) => ({ ...packOf("any").interface, ...said }) as never;
const critical = { execution: { riskTier: RiskTier.CRITICAL } } as const;
const withFallback = (fallback: string | null, version = "1.0.0") =>
  policyText({ build: ["builder"] }, { version, routes: { build: { fallback_pack_id: fallback } } });

/** The facts of the one decision of this kind. */
async function decisionOf(pipelineId: string, action: "dispatch.decided" | "dispatch.refused") {
  const fact = (await factsOf(opened.engine, { pipelineId })).find((one) => one.action === action);
  if (fact?.snapshot?.case !== "dispatch") throw new Error(`no ${action}`);
  return {
    snapshot: fact.snapshot.value,
    record: readDispatchRecord(fact.snapshot.value.rejectionReasons ?? ""),
  };
}

describe("3.2, step 3: no compatible agent among those the route allows", () => {
  test("the fallback is tried, and the record says that it was it", async () => {
    const { engine } = opened;
    await prepare(engine, {
      packs: [low("builder"), packOf("generalist")],
      policy: withFallback("generalist"),
      templates: [],
    });
    const [builder, generalist] = [workByHand(engine, "builder"), workByHand(engine, "generalist")];
    await builder.beat();
    await generalist.beat();
    const pipelineId = await submitType(engine, "build", critical);
    const envelope = await generalist.takeOne();
    expect(envelope.routing).toMatchObject({ selectedPackId: "generalist" });
    const { record, snapshot } = await decisionOf(pipelineId, "dispatch.decided");
    expect(record.outcome).toBe("selected: fallback");
    expect(snapshot.candidatePackIds).toEqual(["builder", "generalist"]);
  });

  test("the fallback must pass the same filter; where it does not, a person is asked, and a pack that can is found by retry", async () => {
    const { engine } = opened;
    await prepare(engine, {
      packs: [low("builder"), low("generalist")],
      policy: withFallback("generalist"),
      templates: [],
    });
    await workByHand(engine, "builder").beat();
    await workByHand(engine, "generalist").beat();
    const pipelineId = await submitType(engine, "build", critical);
    const question = await questionOf(engine, pipelineId);
    expect(question).toMatchObject({
      cause: "dispatch-refused",
      problem: expect.stringMatching(/builder.*generalist/s),
      impact: expect.stringContaining("waits for the answer"),
      options: ["retry", "abort"],
      recommended: "retry",
      blocking: true,
    });
    const { record, snapshot } = await decisionOf(pipelineId, "dispatch.refused");
    expect(record.outcome).toBe("escalate: no-compatible-pack");
    expect(JSON.parse(snapshot.rejectionReasons ?? "")).toMatchObject({
      packs: [
        { id: "builder", role: "allowed", versions: [{ reason: expect.stringContaining("risk") }] },
        { id: "generalist", role: "fallback", versions: [{ reason: expect.stringContaining("risk") }] },
      ],
    });

    await registerPacks(engine, [packOf("expert")]);
    await publishPolicy(engine, policyText({ build: ["expert"] }, { version: "1.1.0" }));
    const expert = workByHand(engine, "expert");
    await expert.beat();
    await answer(engine, question, { option: "retry", instructions: "" });
    const envelope = await expert.takeOne();
    expect(envelope.execution?.attemptNumber).toBe(1);
  });

  test("D23: an explicit null escalates at once, and does not take the default's", async () => {
    const { engine } = opened;
    await prepare(engine, {
      packs: [low("builder"), packOf("generalist")],
      policy: policyText({ build: ["builder"] }, { defaults: { fallback_pack_id: "generalist" } }),
      templates: [],
    });
    await workByHand(engine, "builder").beat();
    await workByHand(engine, "generalist").beat();
    const pipelineId = await submitType(engine, "build", critical);
    expect((await questionOf(engine, pipelineId)).cause).toBe("dispatch-refused");
  });

  test("D3: a tool that the contract needs and the pack lacks counts; a heartbeat may bring it", async () => {
    const { engine } = opened;
    await prepare(engine, { templates: [] });
    const agent = workByHand(engine, "builder");
    await agent.beat();
    const contract = {
      taskId: "t-1",
      title: "Build it",
      acceptanceCriteria: ["it works"],
      environment: { testCommand: "CI=1 ./node_modules/.bin/vitest run" },
    };
    const pipelineId = await submitType(engine, "build", { contract });
    const question = await questionOf(engine, pipelineId);
    expect(question.problem).toContain("vitest");
    await agent.beat({ availableTools: ["vitest"] });
    await answer(engine, question, { option: "retry", instructions: "" });
    expect((await agent.takeOne()).execution?.attemptNumber).toBe(1);
  });
});

describe("what is away or busy is waited for, and not escalated", () => {
  test("an unhealthy instance is passed over; once it is well it is sent what waited", async () => {
    const { engine } = opened;
    await prepare(engine);
    const agent = workByHand(engine, "builder");
    await agent.beat({ health: { status: HealthStatus.UNHEALTHY } });
    const pipelineId = await submitType(engine, "build");
    expect(await standingOf(engine, pipelineId)).toEqual({ pipeline: "RUNNING", task: "READY" });
    expect(await agent.take(1, 300)).toEqual([]);
    await agent.beat();
    await agent.work("task");
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("HEALTHY goes before DEGRADED, and the least loaded before the others", async () => {
    const { engine } = opened;
    await prepare(engine);
    const [well, degraded] = [
      workByHand(engine, "builder", "well"),
      workByHand(engine, "builder", "degraded"),
    ];
    await degraded.beat({ health: { status: HealthStatus.DEGRADED } });
    await well.beat({ capacity: { maxTasks: 2 } });
    for (let count = 0; count < 3; count += 1) await submitType(engine, "build");
    expect(await well.take(10)).toHaveLength(2);
    expect(await degraded.take(10)).toHaveLength(1);
  });
});
