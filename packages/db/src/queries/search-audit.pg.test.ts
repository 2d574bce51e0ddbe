import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import { appendAuditEntries, listAuditEntries } from "../repositories/audit-entries.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase, readRows } from "../testing/index.ts";
import type { NewAuditEntry } from "./append-audit-entries.ts";
import type { AuditEntry, AuditFilter, AuditRecord } from "./audit-filter.ts";
import { isSearch } from "./search-audit.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;

type Said = { action: string; rationale?: string; snapshot?: unknown; changes?: unknown };
const entry = (payload: Said, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  eventType: 101,
  actor: { type: 3, id: "ada" },
  payload: JSON.stringify({ actor: { id: "ada" }, ...payload }),
  ...more,
});
const append = (tenantId: string, entries: readonly NewAuditEntry[]) =>
  opened.database.inTenant(tenantId, (tx) => appendAuditEntries(tx, entries));
const found = (tenantId: string, filter: AuditFilter, limit = 100) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<AuditEntry, AuditRecord>(async (after) => {
      const { entries, next } = await listAuditEntries(tx, { ...filter, limit, after });
      return { rows: entries, next };
    });
    return rows.map(({ payload }) => String(JSON.parse(payload).action));
  });

beforeAll(async () => {
  opened = await openTestDatabase({ maxConnections: 1 });
  await append("east", [
    entry({ action: "first", rationale: "The lantern was cold" }),
    entry({ action: "second", rationale: 'He said "lantern\nred" and C:\\new' }, { packId: "painter" }),
    entry({ action: "third", snapshot: { rationale: "hidden" }, changes: ["unseen"] }),
    entry({ action: "fourth lantern", rationale: "Zug fährt über Köln" }, { eventType: 7 }),
    entry({ action: "routine", rationale: "lantern" }, { eventType: 30, pipelineId: "p" }),
    entry({ action: "escaped", rationale: "a \u0000 nought" }),
    entry({ action: '","snapshot":tricky', rationale: '"action": twice' }),
  ]);
  await append("west", [entry({ action: "west's lantern", rationale: "cold" })]);
});
afterAll(() => opened.end());

test.each<[string, AuditFilter, string[]]>([
  ["a word of the action or the rationale", { words: "lantern" }, ["fourth lantern", "second", "first"]],
  ["whatever the case", { words: "LANTERN cold" }, ["first"]],
  ["a phrase", { words: '"lantern was"' }, ["first"]],
  ["either word", { words: "cold or köln" }, ["fourth lantern", "first"]],
  ["a word left out", { words: "lantern -cold" }, ["fourth lantern", "second"]],
  ["a word after an escape", { words: "new red" }, ["second"]],
  ["no word of the snapshot or the changes", { words: "hidden or unseen" }, []],
  ["no name of a field", { words: "rationale or snapshot or actor" }, ['","snapshot":tricky']],
  ["what holds the character that text does not", { words: "nought" }, ["escaped"]],
  ["with the event type", { words: "lantern", eventType: 7 }, ["fourth lantern"]],
  ["with the pack", { words: "lantern", packId: "painter" }, ["second"]],
  ["with the actor", { words: "lantern", actor: "bob" }, []],
  ["routine entries where the pipeline is named", { words: "lantern", pipelineId: "p" }, ["routine"]],
  ["with a time that is over", { words: "lantern", to: new Date(0) }, []],
])("D1 words find %s, and pages of any size meet each once", async (_, filter, actions) => {
  for (const limit of [1, 2, 100]) expect(await found("east", filter, limit)).toEqual(actions);
});

test("D1 another tenant's words are not found, whatever is asked for", async () => {
  expect(await found("west", { words: "lantern or cold or painter or routine" })).toEqual(["west's lantern"]);
  expect(await found("north", { words: "lantern" })).toEqual([]);
});

test("D1 the function binds itself: without a tenant, or with a list of them, it finds nothing", async () => {
  const call = sql`select count(*)::int as found from signalbox.search_audit('lantern', null, null, null, null, null, null,
    null, null, null, 100)`;
  const counted = await opened.database.inTenants(["east", "west"], (tx) => queriesOf(tx).execute(call));
  expect(counted[0]?.["found"]).toBe(0);
  const [row] = await readRows(
    opened.made.appUrl,
    "select count(*)::int as found from signalbox.search_audit('lantern', null, null, null, null, null, null, null, null, null, 100)",
  );
  expect(row?.["found"]).toBe(0);
});

test("D1 the function is bounded, whoever calls it", async () => {
  for (const [words, most] of [
    ["a".repeat(201), 10],
    ["lantern", 0],
    ["lantern", 1002],
  ] as const) {
    await expect(
      opened.database.inTenant("east", (tx) =>
        queriesOf(tx).execute(
          sql`select from signalbox.search_audit(${words}::text, null, null, null, null, null, null, null, null, null, ${most}::int)`,
        ),
      ),
    ).rejects.toMatchObject({ code: "22023" });
  }
});

test.each([
  ["lantern", true],
  ["lantern -cold", true],
  ["-cold", false],
  ["-cold or lantern", false],
  ["!!! & | ( ) :* <->", false],
  ["'; drop table audit_entries; --", true],
  ['"unclosed', true],
  ["\\ ' \" %", false],
])("%j is something to look for: %s", async (words, expected) => {
  await opened.database.inTenant("east", async (tx) => {
    expect(await isSearch(tx, words)).toBe(expected);
    await listAuditEntries(tx, { words, limit: 5 });
  });
});

const rowsRead = async (): Promise<number> => {
  await opened.database.inTenant("east", (tx) =>
    queriesOf(tx).execute(sql`select pg_stat_force_next_flush()`),
  );
  const [row] = await readRows(
    opened.made.url,
    "select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname like 'audit_entries_2%'",
  );
  return Number(row?.["read"]);
};

test.each<[string, AuditFilter]>([
  ["a rare word", { words: "2999" }],
  ["a rare word, and another's type", { words: "2999", eventType: 7 }],
  ["a common word", { words: "common" }],
  ["a common word, on a later page", { words: "common", to: new Date("2100-01-01") }],
  ["an event type", { eventType: 7 }],
  ["an actor", { actor: "bob" }],
])("D1 %s reads no history that it does not return", async (_, filter) => {
  await opened.database.inTenant("east", async (tx) => {
    const { entries } = await listAuditEntries(tx, { limit: 1, words: "2999" });
    if (entries.length > 0) return;
    await appendAuditEntries(
      tx,
      Array.from({ length: 3_000 }, (_none, index) =>
        entry({ action: `filler ${index}`, rationale: "common" }),
      ),
    );
    await appendAuditEntries(tx, [entry({ action: "by bob" }, { actor: { type: 3, id: "bob" } })]);
  });
  await readRows(opened.made.url, "analyze signalbox.audit_entries");
  const limit = 50;
  const before = await rowsRead();
  await opened.database.inTenant("east", (tx) => listAuditEntries(tx, { ...filter, limit }));
  expect((await rowsRead()) - before).toBeLessThanOrEqual(limit * 4);
});
