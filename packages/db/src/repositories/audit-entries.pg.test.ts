import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import type { NewAuditEntry } from "../queries/append-audit-entries.ts";
import { insertPipelines } from "../queries/write-pipelines.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase, readRows } from "../testing/index.ts";
import { samplePipeline } from "../testing/sample-rows.ts";
import type { AuditEntry, AuditFilter, AuditRecord } from "../queries/audit-filter.ts";
import { appendAuditEntries, listAuditEntries } from "./audit-entries.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
const entry = (name: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  eventType: 101,
  actor: { type: 3, id: "ada" },
  payload: `{"name":"${name}"}`,
  ...more,
});
const append = (tenantId: string, entries: readonly NewAuditEntry[]) =>
  opened.database.inTenant(tenantId, (tx) => appendAuditEntries(tx, entries));
let boundary: Date;
beforeAll(async () => {
  opened = await openTestDatabase({ maxConnections: 1 });
  await opened.database.inTenants(["east", "west"], (tx) =>
    insertPipelines(tx, [
      samplePipeline("east", "p", { traceId: "trace" }),
      samplePipeline("east", "q", { traceId: "other" }),
      samplePipeline("west", "p", { traceId: "trace" }),
    ]),
  );
  await append("east", [
    entry("plain"),
    entry("typed", { eventType: 7 }),
    entry("packed", { packId: "painter" }),
    entry("by bob", { actor: { type: 3, id: "bob" } }),
  ]);
  const [row] = await readRows(opened.made.url, "select clock_timestamp()::timestamptz(3)::text as now");
  boundary = new Date(String(row?.["now"]));
  await readRows(opened.made.url, "select pg_sleep(0.005)");
  await append("east", [
    entry("of p", { pipelineId: "p", traceId: "trace" }),
    entry("of q", { pipelineId: "q", traceId: "other" }),
    entry("before p", { traceId: "trace" }),
  ]);
  await append("west", [
    entry("west's", { pipelineId: "p", traceId: "trace", packId: "painter", eventType: 7 }),
  ]);
});
afterAll(() => opened.end());

const listed = (tenantId: string, filter: AuditFilter, limit: number) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<AuditEntry, AuditRecord>(async (after) => {
      const { entries, next } = await listAuditEntries(tx, { ...filter, limit, after });
      expect(entries.length).toBeLessThanOrEqual(limit);
      return { rows: entries, next };
    });
    const times = rows.map(({ recordedAt }) => recordedAt.replace("Z", ""));
    expect(times).toEqual(times.toSorted().toReversed());
    return rows.map(({ payload }) => String(JSON.parse(payload).name)).toSorted();
  });
const early = ["by bob", "packed", "plain", "typed"];
const late = ["before p", "of p", "of q"];

test.each<[string, () => AuditFilter, string[]]>([
  ["nothing", () => ({}), [...early, ...late]],
  ["its event type", () => ({ eventType: 7 }), ["typed"]],
  ["its pack", () => ({ packId: "painter" }), ["packed"]],
  ["its pipeline", () => ({ pipelineId: "q" }), ["of q"]],
  ["its actor", () => ({ actor: "bob" }), ["by bob"]],
  [
    "its trace, with what was recorded before there was a pipeline",
    () => ({ traceId: "trace" }),
    ["before p", "of p"],
  ],
  ["a trace that is not there", () => ({ traceId: "nowhere" }), []],
  ["the beginning of a time", () => ({ from: boundary }), late],
  ["the end of a time", () => ({ to: boundary }), early],
  ["several at once", () => ({ traceId: "trace", pipelineId: "p", from: boundary }), ["of p"]],
  ["several that exclude each other", () => ({ eventType: 7, actor: "bob" }), []],
])("D1 entries are narrowed by %s, and pages of any size meet each once", async (_, filter, names) => {
  for (const limit of [1, 2, 3, 100]) expect(await listed("east", filter(), limit)).toEqual(names.toSorted());
});

test("D1 another tenant's entries are not among them, whatever is asked for", async () => {
  const theirs = [{}, { eventType: 7 }, { packId: "painter" }, { pipelineId: "p" }, { traceId: "trace" }];
  for (const filter of theirs) expect(await listed("west", filter, 100)).toEqual(["west's"]);
});

test("D1 pages of a trace come in the order of the record, whichever pipeline an entry is of", async () => {
  for (let index = 0; index < 60; index++) {
    await append("east", [
      entry(`${index}`, { traceId: "other", ...(index % 3 === 0 ? {} : { pipelineId: "q" }) }),
    ]);
  }
  const all = await listed("east", { traceId: "other" }, 200);
  expect(all).toHaveLength(61);
  for (const limit of [7, 30]) expect(await listed("east", { traceId: "other" }, limit)).toEqual(all);
});

test("D1 a trace's entries are found by its pipelines and by the trace itself, and not by walking the record", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    entry("other", { traceId: `t-${index}`, ...(index % 2 === 0 ? { pipelineId: `p-${index}` } : {}) }),
  );
  await append("east", many);
  await readRows(opened.made.url, "analyze signalbox.audit_entries");
  const plans = await opened.database.inTenant("east", async (tx) => {
    await listAuditEntries(tx, { traceId: "trace", limit: 100 });
    const prepared = await queriesOf(tx).execute<{ statement: string }>(sql`
      select statement from pg_prepared_statements
      where statement like 'select %audit_entries%' and statement like '%"trace_id" = %'
        and statement not like '%recorded_at" >=%' and statement not like '%::uuid)%'
        and statement not like '%pg_prepared%'`);
    return Promise.all(
      prepared.map(async ({ statement }) => {
        const plan = await queriesOf(tx).execute(sql.raw(`explain (generic_plan) ${statement}`));
        return plan.map((line) => String(line["QUERY PLAN"]));
      }),
    );
  });
  expect(plans.length).toBeGreaterThanOrEqual(2);
  for (const lines of plans) {
    const found = lines.filter((line) => line.includes("Index Cond:"));
    expect(lines.join("\n")).not.toMatch(/Seq Scan on audit/);
    expect(found.filter((line) => !/trace_id =|pipeline_id =/.test(line))).toEqual([]);
  }
});
