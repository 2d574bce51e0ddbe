import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { policyText } from "../testing/documents.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  endOf,
  questionOf,
  stateOf,
  submitTemplate,
  submitType,
  waitForStatus,
} from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, packOf, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { listAudit } from "../read-audit.ts";
import { listInstances, restoreInstance } from "../registry/instances.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, { packs: [packOf("builder"), packOf("other")] });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

const foreignTrace = { trace: { traceId: "somebody-elses", spanId: "s", tenantId: "default" } };
const refused = { code: "VALIDATION_FAILED", violations: [expect.objectContaining({ rule: "trace" })] };

/** The agent reports nonsense on the next of its dispatches. */
async function reportNonsense(): Promise<void> {
  await expect(agent.report(await agent.takeOne(), foreignTrace)).rejects.toMatchObject(refused);
}

async function instance(packId = "builder") {
  const { instances } = await listInstances(opened.engine, askedBy("viewer"), { packId });
  const [found] = instances;
  if (found === undefined) throw new Error("no instance");
  return found;
}

test("REPORT-4: the first invalid result is a retryable failure, counted against its instance, with both versions on record", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  const envelope = await agent.takeOne();
  const wrong = { ...foreignTrace, protocolVersion: { schemaVersion: "9.0.0" } };
  await expect(agent.report(envelope, wrong)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(await instance()).toMatchObject({ consecutiveInvalid: 1, health: HealthStatus.HEALTHY });
  const [invalid] = await factsOf(engine, { pipelineId, eventType: AuditEventType.RESULT_INVALID });
  expect(invalid?.snapshot).toMatchObject({
    case: "result",
    value: {
      validationPassed: false,
      validationError: expect.stringMatching(/somebody-elses/),
      schemaVersionReceived: "9.0.0",
      schemaVersionExpected: "1.0.0",
      consecutiveInvalidResults: 1,
    },
  });
  const again = await agent.takeOne();
  expect(again.execution?.attemptNumber).toBe(2);
  await agent.report(again);
  // D7: a valid one resets the count.
  expect(await instance()).toMatchObject({ consecutiveInvalid: 0 });
});

test("REPORT-4: whoever reported it is told the field, the fault and the rule of each", async () => {
  await submitTemplate(opened.engine, "chain");
  const envelope = await agent.takeOne();
  await expect(agent.report(envelope, { evidence: undefined })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "evidence", rule: "required", message: "value is required" }],
  });
  await agent.report(await agent.takeOne());
});

test("D6: the same invalid result again is refused again, and is not counted twice, even at the same moment", async () => {
  await submitTemplate(opened.engine, "chain");
  const envelope = await agent.takeOne();
  const together = await Promise.allSettled([1, 2, 3].map(() => agent.report(envelope, foreignTrace)));
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await expect(agent.report(envelope, foreignTrace)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(await instance()).toMatchObject({ consecutiveInvalid: 1, health: HealthStatus.HEALTHY });
});

/** Three invalid results, each on a task of its own; the last one's question offers to restore. */
async function quarantined() {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  for (let count = 0; count < 3; count += 1) await reportNonsense();
  const question = await questionOf(engine, pipelineId, "a");
  return { pipelineId, question };
}

describe("D7: at the third in a row the instance is quarantined", () => {
  test("and the work goes to the next candidate; AGENT_QUARANTINED says which instance, how often and why", async () => {
    const { engine } = opened;
    await publishPolicy(
      engine,
      policyText(
        { build: ["builder", "other"], check: ["other"], ship: ["other"] },
        { version: "1.1.0", routes: { build: { preferred_pack_id: "builder" } } },
      ),
    );
    const pipelineId = await submitTemplate(engine, "chain");
    for (let count = 0; count < 2; count += 1) await reportNonsense();
    const other = workByHand(engine, "other");
    await other.beat();
    const third = await agent.takeOne();
    expect(third.execution?.attemptNumber).toBe(3);
    await expect(agent.report(third, foreignTrace)).rejects.toMatchObject(refused);
    expect(await instance()).toMatchObject({ health: HealthStatus.QUARANTINED, consecutiveInvalid: 3 });
    const { entries } = await listAudit(engine, askedBy("auditor"), {
      eventType: AuditEventType.AGENT_QUARANTINED,
    });
    expect(entries.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
      {
        packId: "builder",
        snapshot: {
          agentHealth: {
            instanceId: "builder-1",
            consecutiveInvalid: 3,
            lastError: expect.stringContaining("trace"),
          },
        },
      },
    ]);
    const rerouted = await other.work("a");
    expect(rerouted.execution?.attemptNumber).toBe(4);
    expect((await agent.beat()).healthStatus).toBe(HealthStatus.QUARANTINED);
    expect(pipelineId).toBe(rerouted.execution?.idempotencyKey.split("/")[0]);
  });

  test("with nobody else able a person is asked, who restores it: D7 ESC-7, on record, and the stage is sent again", async () => {
    const { engine } = opened;
    const { pipelineId, question } = await quarantined();
    expect(question).toMatchObject({
      cause: "dispatch-refused",
      options: ["retry", "restore", "abort"],
      recommended: "restore",
      quarantined: { packId: "builder", instanceId: "builder-1" },
      blocking: true,
    });
    await agent.beat();
    expect(await instance()).toMatchObject({ health: HealthStatus.QUARANTINED });
    await answer(engine, question, { option: "restore" });
    expect(await instance()).toMatchObject({ health: HealthStatus.HEALTHY, consecutiveInvalid: 0 });
    const { entries } = await listAudit(engine, askedBy("auditor"), { actor: "approver" });
    expect(
      entries.map(({ payload }) => JSON.parse(payload) as { action: string }).map(({ action }) => action),
    ).toEqual(
      expect.arrayContaining(["escalation.resolved.restore", "restored instance builder-1 of builder"]),
    );
    for (const stage of ["a", "b", "c"]) await agent.work(stage);
    await waitForStatus(engine, pipelineId, "COMPLETED");
  });

  test("an operator may restore it beside any question", async () => {
    const { engine } = opened;
    const { question } = await quarantined();
    await expect(
      restoreInstance(engine, askedBy("agent"), { packId: "builder", instanceId: "builder-1" }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    await restoreInstance(engine, askedBy("operator"), { packId: "builder", instanceId: "builder-1" });
    await answer(engine, question, { option: "retry", instructions: "" });
    await agent.work("a");
  });

  test("ESC-4: of two answers at the same moment one wins, and the quarantine is lifted only if that one said so", async () => {
    const { engine } = opened;
    const { question } = await quarantined();
    const [retry, restore] = await Promise.allSettled([
      answer(engine, question, { option: "retry", instructions: "" }),
      answer(engine, question, { option: "restore" }),
    ]);
    const won = retry.status === "fulfilled" ? "retry" : "restore";
    const lost = retry.status === "fulfilled" ? restore : retry;
    expect(lost).toMatchObject({ status: "rejected", reason: { code: "ALREADY_RESOLVED" } });
    expect(await endOf(engine, question)).toMatchObject({ resolution: { option: won } });
    expect(await instance()).toMatchObject({
      health: won === "restore" ? HealthStatus.HEALTHY : HealthStatus.QUARANTINED,
    });
  });
});

test("D7: invalid results of several pipelines at the same moment all count against their one instance", async () => {
  const { engine } = opened;
  await publishPolicy(engine, builderPolicy({ version: "1.1.0" }));
  await Promise.all([1, 2, 3].map(() => submitType(engine, "build")));
  const envelopes = [];
  while (envelopes.length < 3) envelopes.push(...(await agent.take()));
  const reports = await Promise.allSettled(envelopes.map((envelope) => agent.report(envelope, foreignTrace)));
  expect(reports.every(({ status }) => status === "rejected")).toBe(true);
  expect(await instance()).toMatchObject({ consecutiveInvalid: 3, health: HealthStatus.QUARANTINED });
  const states = await Promise.all(
    envelopes.map(({ execution }) => stateOf(engine, execution?.idempotencyKey.split("/")[0] ?? "")),
  );
  expect(states.every(({ retriesUsed, escalationsOpened }) => retriesUsed + escalationsOpened > 0)).toBe(
    true,
  );
});
