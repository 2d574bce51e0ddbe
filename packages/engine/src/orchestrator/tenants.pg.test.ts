import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { idOf, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  openQuestions,
  questionOf,
  standingOf,
  stateOf,
  submitTemplate,
  submitType,
} from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, seedTenant, type TestEngine } from "../testing/test-engine.ts";
import { listAudit } from "../read-audit.ts";
import { listInstances } from "../registry/instances.ts";
import { abortPipeline, pausePipeline, rewindPipeline } from "./person-commands.ts";
import { getEscalation } from "./read-escalations.ts";
import { getPipeline, listPipelines, readTrace } from "./read-pipelines.ts";
import { renewDispatch } from "./renew-dispatch.ts";
import { reportResult } from "./report-result.ts";

const tenants = ["north", "south"] as const;
let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  for (const tenant of tenants) {
    await seedTenant(opened.engine.database, tenant);
    await prepare(opened.engine, {}, tenant);
  }
});
afterEach(() => opened.end());

test("nothing of one tenant is seen or changed from another, whatever ids it names", async () => {
  const { engine } = opened;
  const south = workByHand(engine, "builder", "builder-1", "south");
  const north = workByHand(engine, "builder", "builder-1", "north");
  await south.beat();
  await north.beat();
  const theirs = await submitTemplate(engine, "chain", {}, askedBy("operator", "south"));
  const held = await south.takeOne();
  const asking = await submitType(engine, "unheard-of", {}, askedBy("operator", "south"));
  const question = await questionOf(engine, asking, undefined, "south");
  const before = await stateOf(engine, theirs, "south");

  const stranger = { code: "NOT_FOUND" };
  const operator = askedBy("operator", "north");
  await expect(getPipeline(engine, askedBy("viewer", "north"), theirs)).rejects.toMatchObject(stranger);
  await expect(readTrace(engine, askedBy("viewer", "north"), theirs)).rejects.toMatchObject(stranger);
  await expect(pausePipeline(engine, operator, { pipelineId: theirs })).rejects.toMatchObject(stranger);
  await expect(abortPipeline(engine, operator, { pipelineId: theirs })).rejects.toMatchObject(stranger);
  await expect(
    rewindPipeline(engine, operator, { pipelineId: theirs, stageId: "a", instructions: "" }),
  ).rejects.toMatchObject(stranger);
  await expect(
    getEscalation(engine, askedBy("viewer", "north"), question.escalationId),
  ).rejects.toMatchObject(stranger);
  await expect(
    answer(engine, question, { option: "abort" }, askedBy("approver", "north")),
  ).rejects.toMatchObject(stranger);
  await expect(
    reportResult(engine, askedBy("agent", "north"), idOf(held), resultFor(held)),
  ).rejects.toMatchObject(stranger);
  await expect(renewDispatch(engine, askedBy("agent", "north"), idOf(held))).rejects.toMatchObject(stranger);
  expect(await north.take(10, 200)).toEqual([]);
  expect((await north.beat()).cancelDispatchIds).toEqual([]);
  expect((await listPipelines(engine, askedBy("viewer", "north"), {})).pipelines).toEqual([]);
  expect(await openQuestions(engine, "north")).toEqual([]);
  const { entries } = await listAudit(engine, askedBy("auditor", "north"), { pipelineId: theirs });
  expect(entries).toEqual([]);

  expect(await stateOf(engine, theirs, "south")).toEqual(before);
  await south.report(held);
  expect(await standingOf(engine, theirs, "south")).toMatchObject({ a: "COMPLETED" });
});

test("packs, instances, templates and pipelines of the same names are each tenant's own", async () => {
  const { engine } = opened;
  const agents = tenants.map((tenant) => workByHand(engine, "builder", "builder-1", tenant));
  for (const agent of agents) await agent.beat();
  const ids = await Promise.all(
    tenants.map((tenant) => submitTemplate(engine, "chain", {}, askedBy("operator", tenant))),
  );
  await Promise.all(
    agents.map(async (agent) => {
      for (const stage of ["a", "b", "c"]) await agent.work(stage);
    }),
  );
  for (const [place, tenant] of tenants.entries()) {
    const pipelineId = ids[place] ?? "";
    expect(await standingOf(engine, pipelineId, tenant)).toMatchObject({ pipeline: "COMPLETED" });
    const facts = await factsOf(engine, { pipelineId }, tenant);
    expect(facts.length).toBeGreaterThan(15);
    const { instances } = await listInstances(engine, askedBy("viewer", tenant), {});
    expect(instances).toHaveLength(1);
  }
  const mixed = await readRows(
    opened.made.url,
    `select count(*)::int as n from signalbox.audit_entries where payload::json ->> 'tenantId' <> tenant_id`,
  );
  expect(mixed).toEqual([{ n: 0 }]);
});
