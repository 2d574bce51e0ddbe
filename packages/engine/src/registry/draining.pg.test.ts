import { AuditEventType } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAudit } from "../read-audit.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { submitType } from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, packOf, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { drainInstance, resumeInstance } from "./draining.ts";
import { getInstance, quarantineInstance, restoreInstance } from "./instances.ts";

let opened: TestEngine;
let one: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, { packs: [packOf("builder")] });
  await publishPolicy(opened.engine, builderPolicy({ version: "1.1.0" }));
  one = workByHand(opened.engine, "builder", "builder-1");
  await one.beat();
});
afterEach(() => opened.end());

const ref = { packId: "builder", instanceId: "builder-1" };
const operator = askedBy("operator");
const shown = () => getInstance(opened.engine, operator, ref);
const recorded = async (eventType: AuditEventType) => {
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), { eventType });
  return entries.map(({ payload }) => JSON.parse(payload) as object);
};

/** One of them does it, and the others are told that it is so already. */
const settled = async (asked: (() => Promise<void>)[]) => {
  const answers = await Promise.allSettled(asked.map((ask) => ask()));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "INVALID_STATE", detail: expect.stringMatching(/asked to drain/) },
  });
};

test("INST-6 a draining instance is told so, shown so, and given nothing on any node, until somebody lets it resume", async () => {
  const { engine } = opened;
  const node = await opened.another();
  await drainInstance(engine, operator, {
    ...ref,
    note: "Its machine goes; ghp_" + "a1B2c3D4e5F6".repeat(3),
  });
  expect(await one.beat()).toMatchObject({ drain: true });
  expect(await shown()).toMatchObject({
    presence: "draining",
    draining: { reason: expect.stringMatching(/^Its machine goes; (?!ghp_)/), since: expect.any(Date) },
  });
  await submitType(engine, "build");
  await submitType(node, "build");
  expect(await one.take(2, 1_500)).toEqual([]);
  const two = workByHand(node, "builder", "builder-2");
  await two.beat();
  const taken = [await two.takeOne(), await two.takeOne()];
  for (const envelope of taken) await two.report(envelope);

  await resumeInstance(engine, operator, { ...ref, note: "" });
  expect(await one.beat()).toMatchObject({ drain: false });
  expect(await shown()).toMatchObject({ presence: "present", draining: undefined });
  await drainInstance(engine, operator, { ...ref, instanceId: "builder-2", note: "now that one" });
  await submitType(node, "build");
  await one.report(await one.takeOne());

  expect(await recorded(AuditEventType.INSTANCE_RESUMED)).toMatchObject([
    {
      actor: { type: "ACTOR_TYPE_HUMAN", id: "operator" },
      packId: "builder",
      action: "may be given work again: instance builder-1 of builder",
    },
  ]);
  const drained = await recorded(AuditEventType.INSTANCE_DRAINED);
  expect(drained).toHaveLength(2);
  expect(JSON.stringify(drained)).not.toContain("ghp_");
});

test("INST-6 what it has under way it finishes", async () => {
  const { engine } = opened;
  await submitType(engine, "build");
  const envelope = await one.takeOne();
  await drainInstance(engine, operator, { ...ref, note: "why" });
  await expect(one.renew(envelope)).resolves.toBeDefined();
  await expect(one.report(envelope)).resolves.toMatchObject({ receivedAt: expect.any(Date) });
});

test("INST-6 of many who ask at the same moment one does it, and the record says it once; nothing else lifts it", async () => {
  const { engine } = opened;
  const drain = () => drainInstance(engine, operator, { ...ref, note: "why" });
  await settled([drain, drain, drain, drain]);
  await one.beat();
  await quarantineInstance(engine, operator, { ...ref, note: "why" });
  await restoreInstance(engine, operator, { ...ref, note: "" });
  expect(await shown()).toMatchObject({ presence: "draining" });
  const resume = () => resumeInstance(engine, operator, { ...ref, note: "It stays." });
  await settled([resume, resume, resume]);
  expect(await recorded(AuditEventType.INSTANCE_DRAINED)).toHaveLength(1);
  expect(await recorded(AuditEventType.INSTANCE_RESUMED)).toMatchObject([{ rationale: "It stays." }]);
});

test("INST-6 it needs a reason, somebody who may, and an instance that is known", async () => {
  const { engine } = opened;
  await expect(drainInstance(engine, operator, { ...ref, note: " " })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "note" }],
  });
  for (const role of ["viewer", "approver", "auditor", "agent"] as const) {
    await expect(drainInstance(engine, askedBy(role), { ...ref, note: "why" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(resumeInstance(engine, askedBy(role), ref)).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
  const nobody = { ...ref, instanceId: "nobody" };
  await expect(drainInstance(engine, operator, { ...nobody, note: "why" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(
    drainInstance(engine, askedBy("operator", "elsewhere"), { ...ref, note: "why" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await recorded(AuditEventType.INSTANCE_DRAINED)).toEqual([]);
});
