import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import { NONCE_BYTES } from "../seal.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleDispatch, sampleOpenDispatch, samplePipeline, sampleStage } from "../testing/sample-rows.ts";
import { deleteCancelSignals } from "./cancel-signals.ts";
import { findDispatches } from "./find-dispatches.ts";
import { loadPipelines } from "./load-pipelines.ts";
import { lockOpenDispatches } from "./lock-open-dispatches.ts";
import { lockPipelines } from "./lock-pipelines.ts";
import { renewLeases } from "./renew-leases.ts";
import { saveOfKnownStreams } from "./save-known-streams.ts";
import { findTraceEvents } from "./trace-runs.ts";
import { findResults } from "./results.ts";
import { takeEnvelopes } from "./take-envelopes.ts";
import { lockTurnStreams, saveOfTurnStreams } from "./turn-streams.ts";
import { deleteOpenDispatches, insertDispatches, insertOpenDispatches } from "./write-dispatches.ts";
import { insertPipelines, updatePipelines } from "./write-pipelines.ts";
import { insertStages, updateStages } from "./write-stages.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase({ maxConnections: 1 });
});
afterAll(() => opened.end());

/** Never analysed: so a table is for its first minutes, when plans are made and kept. */
test("every statement of the hot path finds its rows by key, whatever the planner knows of the table", async () => {
  const ids = Array.from({ length: 3000 }, (_, index) => `p-${index}`);
  await opened.database.inTenants(["east", "west"], async (tx) => {
    await insertPipelines(
      tx,
      ids.map((id) => samplePipeline("east", id)),
    );
    await insertStages(
      tx,
      ids.map((id) => sampleStage("east", id)),
    );
    await insertDispatches(
      tx,
      ids.map((id) => sampleDispatch("east", id)),
    );
    await insertOpenDispatches(
      tx,
      ids.map((id) => sampleOpenDispatch("east", id)),
    );
    const key = { tenantId: "east", pipelineId: "p-7", stageOrder: 0, attemptNumber: 1 };
    await lockPipelines(tx, [key]);
    await loadPipelines(tx, [key]);
    await updatePipelines(tx, [{ ...samplePipeline("east", "p-7"), expectedRevision: 1 }]);
    await updateStages(tx, [sampleStage("east", "p-7")]);
    await takeEnvelopes(tx, [{ tenantId: "east", packId: "painter", instanceId: "one", max: 1, leaseMs: 9 }]);
    await renewLeases(tx, [{ ...key, leaseMs: 9 }]);
    await lockOpenDispatches(tx, [key]);
    await findDispatches(tx, [key]);
    await findResults(tx, [key]);
    await deleteOpenDispatches(tx, [key]);
    await deleteCancelSignals(tx, [{ ...key, dispatchId: "p-7-d0.1" }]);
    const prepared = await queriesOf(tx).execute<{ statement: string }>(sql`
      select statement from pg_prepared_statements
      where statement like '%given%' and statement ~ 'join signalbox|update signalbox|delete from|ready'`);
    expect(prepared.length).toBeGreaterThanOrEqual(12);
    for (const { statement } of prepared) {
      const plan = await queriesOf(tx).execute(sql.raw(`explain (generic_plan) ${statement}`));
      const lines = plan.map((line) => String(line["QUERY PLAN"]));
      expect([statement, ...lines].join("\n")).not.toMatch(/Seq Scan|Hash Join|Merge Join/);
      const conditions = lines.filter((line) => line.includes("Index Cond:"));
      const byTenantOnly = conditions.filter((condition) => !/pipeline_id|instance_id/.test(condition));
      expect({ statement, found: conditions.length > 0, byTenantOnly }).toEqual({
        statement,
        found: true,
        byTenantOnly: [],
      });
    }
  });
});

test("a group of events is written, and what it demands asked for, row by row and by key", async () => {
  await opened.database.inTenants(["east"], async (tx) => {
    const key = { tenantId: "east", pipelineId: "p-8", stageOrder: 0, attemptNumber: 1, turnIndex: 0 };
    const nonce = Buffer.alloc(NONCE_BYTES, 1);
    const sealed = Buffer.concat([nonce, Buffer.from("sealed")]);
    await lockTurnStreams(tx, [key]);
    const known = saveOfKnownStreams([{ ...key, nonce, sealed, policyVersion: null }], undefined);
    for (const statement of [saveOfTurnStreams([{ ...key, sealed }]), known]) {
      if (statement === undefined) throw new Error("there is nothing to write");
      expect(await queriesOf(tx).execute(statement)).toHaveLength(statement === known ? 1 : 0);
    }
    const prepared = await queriesOf(tx).execute<{ statement: string }>(sql`
      select statement from pg_prepared_statements where statement ~ 'update signalbox.turn_streams'`);
    expect(prepared).toHaveLength(2);
    for (const { statement } of prepared) {
      const plan = await queriesOf(tx).execute(sql.raw(`explain (generic_plan) ${statement}`));
      const text = plan.map((line) => String(line["QUERY PLAN"])).join("\n");
      expect(`${statement}\n${text}`).not.toMatch(/Seq Scan|Hash Join|Merge Join|hashed SubPlan/);
      const found = text.split("\n").filter((line) => line.includes("Index Cond:"));
      const byKey = found.filter((line) => /pipeline_id.*attempt_number/.test(line));
      // The tenant's policy is the only one that is asked for by less.
      expect([statement, byKey.length]).toEqual([
        statement,
        statement.includes("policy") ? found.length - 1 : found.length,
      ]);
      expect(byKey.length).toBe(statement.includes("policy") ? 4 : 1);
    }
  });
});

test("an event's id is looked for in the runs that may hold it, and not among all events of its dispatch", async () => {
  await opened.database.inTenants(["east"], async (tx) => {
    const key = { tenantId: "east", pipelineId: "p-7", stageOrder: 0, attemptNumber: 1 };
    await findTraceEvents(tx, [{ ...key, runNumber: 3, eventId: "0199a7c0-0000-7000-8000-000000000001" }]);
    const [prepared] = await queriesOf(tx).execute<{ statement: string }>(sql`
      select statement from pg_prepared_statements
      where statement like '%given%' and statement like '%run_number = wanted%'`);
    const plan = await queriesOf(tx).execute(
      sql.raw(`explain (generic_plan) ${prepared?.statement ?? "the statement was not prepared"}`),
    );
    const text = plan.map((line) => String(line["QUERY PLAN"])).join("\n");
    expect(text).toMatch(/Index Cond:.*attempt_number.*run_number/);
    // Whether the one run that was read holds any of them.
    expect(text.match(/Filter/g) ?? []).toHaveLength(
      text.match(/Filter: .*&&|Filter: .*= ANY/g)?.length ?? 0,
    );
  });
});
