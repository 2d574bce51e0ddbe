import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { abortPipeline } from "../orchestrator/person-commands.ts";
import { listAudit } from "../read-audit.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { submitType } from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, packOf, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { getInstance, listInstances, quarantineInstance } from "./instances.ts";
import { beginProbations } from "./probations.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  // Probations begin when a test says so.
  opened = await openTestEngine();
  await prepare(opened.engine, { packs: [packOf("builder")] });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

const ref = { packId: "builder", instanceId: "builder-1" };
const shown = () => getInstance(opened.engine, askedBy("viewer"), ref);
const publish = (version: string, probation_after?: string) =>
  publishPolicy(
    opened.engine,
    builderPolicy({ version, admission: probation_after === undefined ? {} : { probation_after } }),
  );
const beginOn = (node: Engine) =>
  beginProbations(node, (reason) => {
    throw reason;
  });
const begin = () => beginOn(opened.engine);
/** As if all of it had been an hour ago. */
const anHourLater = () =>
  readRows(
    opened.made.url,
    "update signalbox.instances set quarantined_at = quarantined_at - interval '1 hour'",
  );
const nonsense = { trace: { traceId: "somebody-elses", spanId: "s", tenantId: "default" } };

async function reportNonsense(): Promise<void> {
  await submitType(opened.engine, "build");
  await expect(agent.report(await agent.takeOne(), nonsense)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
}
async function getQuarantined(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await reportNonsense();
  expect(await shown()).toMatchObject({ presence: "quarantined" });
}
const recorded = async (eventType: AuditEventType) => {
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), { eventType });
  return entries.map(({ payload }) => JSON.parse(payload) as { action: string; actor: object });
};

test("QUAR-6 after its time an instance works on probation, and one valid result ends it; each once, on record", async () => {
  await publish("1.1.0", "1h");
  await getQuarantined();
  const { quarantine } = await shown();
  expect(quarantine?.probationAt?.getTime()).toBe((quarantine?.since.getTime() ?? 0) + 3_600_000);
  expect(await begin()).toBe(0);
  expect(await shown()).toMatchObject({ presence: "quarantined" });

  await anHourLater();
  const node = await opened.another();
  const begun = await Promise.all([begin(), begin(), beginOn(node)]);
  expect(begun.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await begin()).toBe(0);
  expect(await shown()).toMatchObject({
    presence: "present",
    health: HealthStatus.HEALTHY,
    quarantine: undefined,
    probation: { since: expect.any(Date), reason: expect.stringContaining("trace") },
    consecutiveInvalid: 2,
  });
  expect((await agent.beat()).healthStatus).toBe(HealthStatus.HEALTHY);

  await submitType(opened.engine, "build");
  await agent.report(await agent.takeOne());
  expect(await shown()).toMatchObject({ probation: undefined, quarantine: undefined, consecutiveInvalid: 0 });
  await submitType(node, "build");
  await agent.report(await agent.takeOne());
  expect(await recorded(AuditEventType.AGENT_RESTORED)).toMatchObject([
    {
      action: "ended the probation of instance builder-1 of builder",
      actor: { type: "ACTOR_TYPE_ORCHESTRATOR" },
      snapshot: { agentHealth: { instanceId: "builder-1", consecutiveInvalid: 2 } },
    },
    {
      action: "restored on probation instance builder-1 of builder",
      rationale: expect.stringContaining("after 1h"),
      snapshot: { agentHealth: { healthStatus: "HEALTH_STATUS_HEALTHY", consecutiveInvalid: 3 } },
    },
  ]);
  await reportNonsense();
  await reportNonsense();
  expect(await shown()).toMatchObject({ presence: "present", consecutiveInvalid: 2 });
});

test("QUAR-6 on probation one invalid result quarantines again, and another probation follows", async () => {
  await publish("1.1.0", "1h");
  await getQuarantined();
  await anHourLater();
  expect(await begin()).toBe(1);
  await reportNonsense();
  expect(await shown()).toMatchObject({
    presence: "quarantined",
    probation: undefined,
    quarantine: { probationAt: expect.any(Date) },
  });
  expect(await recorded(AuditEventType.AGENT_QUARANTINED)).toMatchObject([
    { rationale: expect.stringMatching(/^An invalid result on probation: /) },
    { rationale: expect.stringMatching(/^3 invalid results in a row/) },
  ]);
  expect(await begin()).toBe(0);
  await anHourLater();
  expect(await begin()).toBe(1);
});

test("QUAR-6 a result that comes too late ends no probation", async () => {
  await publish("1.1.0", "1h");
  const pipelineId = await submitType(opened.engine, "build");
  const late = await agent.takeOne();
  expect(late.execution?.idempotencyKey).toContain(pipelineId);
  await getQuarantined();
  await anHourLater();
  await begin();
  await abortPipeline(opened.engine, askedBy("operator"), { pipelineId });
  await expect(agent.report(late)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  expect(await shown()).toMatchObject({ probation: { since: expect.any(Date) } });
});

test("D7 without a word of it in the policy in force, and where a person quarantined, nothing is lifted", async () => {
  await publish("1.1.0", "1h");
  await getQuarantined();
  await publish("1.2.0");
  await anHourLater();
  expect(await begin()).toBe(0);
  expect(await shown()).toMatchObject({ quarantine: { probationAt: undefined } });

  const byHand = { packId: "builder", instanceId: "builder-2" };
  await workByHand(opened.engine, "builder", "builder-2").beat();
  await quarantineInstance(opened.engine, askedBy("operator"), { ...byHand, note: "Its disk is full." });
  await anHourLater();
  await publish("1.3.0", "1s");
  expect(await begin()).toBe(1);
  const { instances } = await listInstances(opened.engine, askedBy("viewer"), {});
  expect(instances).toMatchObject([
    { instanceId: "builder-1", presence: "present", probation: { reason: expect.any(String) } },
    { instanceId: "builder-2", presence: "quarantined", quarantine: { probationAt: undefined } },
  ]);
});
