import { create } from "@bufbuild/protobuf";
import { AgentHeartbeatSchema, HealthStatus, PipelineStatus } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import { abortPipeline } from "../orchestrator/person-commands.ts";
import { getPipeline } from "../orchestrator/read-pipelines.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { heartbeat } from "../registry/heartbeat.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { packId, seedWorkload, submission } from "./testing/workload.ts";

const agent = askedBy("agent");
const operator = askedBy("operator");

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  await seedWorkload(opened.made.appUrl);
  await refuseEntriesOf("poison");
  await heartbeat(
    opened.engine,
    agent,
    create(AgentHeartbeatSchema, {
      packId,
      instanceId: "only",
      health: { status: HealthStatus.HEALTHY },
      capacity: { maxTasks: 500 },
    }),
  );
}, 60_000);
// Every end holds the record against the tables.
afterEach(() => opened.end(), 60_000);

const rows = (query: string) => readRows(opened.made.url, query);

/** From now on no entry can be written of a pipeline whose task begins with this. */
async function refuseEntriesOf(prefix: string): Promise<void> {
  await rows("create schema chaos");
  await rows("create table chaos.refused (pipeline_id text primary key)");
  await rows("grant usage on schema chaos to public");
  await rows(`create function chaos.refuse() returns trigger language plpgsql security definer as $$ begin
    if new.payload::text like '%"${prefix}%' or exists (select 1 from chaos.refused r where r.pipeline_id = new.pipeline_id)
    then raise exception 'no entry of this one' using errcode = '23514'; end if;
    return new; end $$`);
  await rows(`create trigger chaos_refuses before insert on signalbox.audit_entries
    for each row execute function chaos.refuse()`);
}

const refuse = (pipelineId: string) => rows(`insert into chaos.refused values ('${pipelineId}')`);

/** Every row of it in every table, as text. */
async function everythingOf(pipelineId: string): Promise<unknown> {
  const tables = [
    "tasks",
    "pipelines",
    "stages",
    "dispatches",
    "open_dispatches",
    "results",
    "escalations",
    "events",
    "audit_entries",
  ];
  const found = await Promise.all(
    tables.map((table) =>
      rows(
        `select t::text as row from signalbox.${table} t where pipeline_id = '${pipelineId}' order by t::text`,
      ),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, found[index]]));
}

test("a task whose beginning cannot be recorded does not begin, and those that were asked for with it do", async () => {
  const asked = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      submitTask(
        opened.engine,
        operator,
        submission("line", index % 10 === 3 ? `poison-${index}` : `sound-${index}`),
      ),
    ),
  );
  expect(asked.map(({ status }, index) => (index % 10 === 3) === (status === "rejected"))).not.toContain(
    false,
  );
  expect(
    await rows(`select count(*)::int as begun, count(*) filter (where source_task_id like 'poison%')::int as poisoned
      from signalbox.pipelines`),
  ).toEqual([{ begun: 36, poisoned: 0 }]);
  for (const table of ["tasks", "stages", "dispatches", "open_dispatches", "events", "audit_entries"]) {
    const strangers =
      await rows(`select distinct pipeline_id from signalbox.${table} t where pipeline_id is not null
      and not exists (select 1 from signalbox.pipelines p where p.pipeline_id = t.pipeline_id)`);
    expect({ table, strangers }).toEqual({ table, strangers: [] });
  }
});

test("a result that cannot be recorded is not taken; when it can be, it is, as if nothing had been", async () => {
  const started = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      submitTask(opened.engine, operator, submission("line", `sound-${index}`)),
    ),
  );
  const { envelopes } = await leaseTasks(opened.engine, agent, {
    packId,
    instanceId: "only",
    maxTasks: 100,
    waitMs: 10_000,
  });
  expect(envelopes).toHaveLength(started.length);
  const victim = started[4]?.pipelineId ?? "";
  await refuse(victim);
  const before = await everythingOf(victim);
  const report = () =>
    Promise.allSettled(
      envelopes.map((envelope) =>
        reportResult(opened.engine, agent, envelope.execution?.dispatchId ?? "", resultFor(envelope)),
      ),
    );
  const failed = (await report()).flatMap(({ status }, index) =>
    status === "rejected" ? [envelopes[index]?.execution?.dispatchId] : [],
  );
  expect(failed).toEqual([`${victim}-d0.1`]);
  expect(await everythingOf(victim)).toEqual(before);

  await rows("delete from chaos.refused");
  expect((await report()).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(await everythingOf(victim)).not.toEqual(before);
});

test("an abort that cannot be recorded does not happen, and what the engine remembers says so too", async () => {
  const { pipelineId } = await submitTask(opened.engine, operator, submission("diamond", "sound"));
  const { pipelineId: other } = await submitTask(opened.engine, operator, submission("diamond", "other"));
  await refuse(pipelineId);
  const before = await everythingOf(pipelineId);
  const [refused, done] = await Promise.allSettled([
    abortPipeline(opened.engine, operator, { pipelineId }),
    abortPipeline(opened.engine, operator, { pipelineId: other }),
  ]);
  expect([refused.status, done.status]).toEqual(["rejected", "fulfilled"]);
  expect(await everythingOf(pipelineId)).toEqual(before);
  const { state } = await getPipeline(opened.engine, askedBy("viewer"), pipelineId);
  expect(state.status).toBe(PipelineStatus.RUNNING);

  await rows("delete from chaos.refused");
  await abortPipeline(opened.engine, operator, { pipelineId });
  const { state: after } = await getPipeline(opened.engine, askedBy("viewer"), pipelineId);
  expect(after.status).toBe(PipelineStatus.ABORTED);
});
