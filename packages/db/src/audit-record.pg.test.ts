import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "./connection.ts";
import { queriesOf } from "./database.ts";
import { appendAuditEntries, ensureAuditPartitions, listAuditEntries } from "./repositories/audit-entries.ts";
import type { NewAuditEntry } from "./queries/append-audit-entries.ts";
import { openTestDatabase } from "./testing/index.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  await append("east", [entry('{"a":1}')]);
});
afterAll(() => opened.end());

const entry = (payload: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  eventType: 101,
  actor: { type: 3, id: "ada" },
  payload,
  ...more,
});
const append = (tenantId: string, entries: NewAuditEntry[]) =>
  opened.database.inTenant(tenantId, (tx) => appendAuditEntries(tx, entries));
const asApp = (statement: SQL) => opened.database.inTenant("east", (tx) => queriesOf(tx).execute(statement));
const asRole = (role: string) => (statement: SQL) =>
  withConnection(opened.made.url, (connection) =>
    connection.transaction({ role }, (queries) => queries.execute(statement)),
  );
const asOwner = asRole("signalbox_owner");
const asSuperuser = (statement: SQL) =>
  withConnection(opened.made.url, (connection) => connection.execute(statement));
const partition = sql.raw(
  `signalbox.audit_entries_${new Date().toISOString().slice(0, 7).replace("-", "_")}`,
);

describe("an entry cannot be changed", () => {
  test.each([
    ["update", sql`update signalbox.audit_entries set payload = '{}'`],
    ["delete", sql`delete from signalbox.audit_entries`],
    ["truncate", sql`truncate signalbox.audit_entries`],
    ["update of a partition", sql`update ${partition} set payload = '{}'`],
    ["delete from a partition", sql`delete from ${partition}`],
    ["truncate of a partition", sql`truncate ${partition}`],
    ["detach", sql`alter table signalbox.audit_entries detach partition ${partition}`],
    [
      "an insert that turns into an update",
      sql`insert into signalbox.audit_entries (tenant_id, event_type, actor_type, actor_id, payload)
        values ('east', 1, 1, 'x', '{}') on conflict (tenant_id, recorded_at, audit_id) do update set payload = '{}'`,
    ],
    ["a merge", sql`merge into signalbox.audit_entries a using (select 1) on true when matched then delete`],
    ["its guards put out of action", sql`alter table signalbox.audit_entries disable trigger all`],
    ["one of them dropped", sql`drop trigger audit_entries_keep_rows on signalbox.audit_entries`],
    [
      "the function behind them replaced",
      sql`create or replace function signalbox.refuse_change() returns trigger language plpgsql as 'begin return old; end'`,
    ],
    ["guards that do not fire for a replica", sql`set session_replication_role = replica`],
    ["the table dropped", sql`drop table signalbox.audit_entries`],
    ["the owner's place taken", sql`set role signalbox_owner`],
    ["the migrator's place taken", sql`set role signalbox_migrator`],
    ["the table taken over", sql`alter table signalbox.audit_entries owner to signalbox_app`],
    ["row security lifted", sql`alter table signalbox.audit_entries no force row level security`],
  ])("by the app: %s", async (_, statement) => {
    await expect(asApp(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("the app cannot give itself what it does not have", async () => {
    await asApp(sql`grant all on signalbox.audit_entries to signalbox_app`).catch(() => undefined);
    const [rights] = await asSuperuser(sql`
      select has_table_privilege('signalbox_app', 'signalbox.audit_entries', 'update, delete, truncate') as some,
        has_any_column_privilege('signalbox_app', 'signalbox.audit_entries', 'update') as columns`);
    expect(rights).toEqual({ some: false, columns: false });
  });

  test.each([
    ["truncate", sql`truncate signalbox.audit_entries`],
    ["truncate of a partition", sql`truncate ${partition}`],
  ])("by the owner: %s", async (_, statement) => {
    await expect(asOwner(statement)).rejects.toMatchObject({ code: "23001", message: /append-only/ });
  });

  test.each([
    ["update", sql`update signalbox.audit_entries set payload = '{}' returning 1`],
    ["delete", sql`delete from signalbox.audit_entries returning 1`],
    ["update of a partition", sql`update ${partition} set payload = '{}' returning 1`],
    ["delete from a partition", sql`delete from ${partition} returning 1`],
  ])("by the owner: row security leaves nothing for an %s", async (_, statement) => {
    expect(await asOwner(statement)).toEqual([]);
    expect(await asApp(sql`select count(*)::int as kept from signalbox.audit_entries`)).toEqual([
      { kept: 1 },
    ]);
  });

  test.each([
    ["the table", sql`signalbox.audit_entries`],
    ["a partition", partition],
  ])("D19 by the owner: an entry of another time, or any, is not put into %s", async (_, table) => {
    const forged = sql`insert into ${table} (tenant_id, event_type, actor_type, actor_id, payload, recorded_at)
      values ('east', 1, 1, 'x', '{}', now() - interval '1 minute')`;
    await expect(asOwner(forged)).rejects.toMatchObject({ code: "42501" });
  });

  test("by the migrator, who has nothing until it takes the owner's place: anything", async () => {
    for (const statement of [
      sql`select 1 from signalbox.audit_entries`,
      sql`update signalbox.audit_entries set payload = '{}'`,
      sql`delete from ${partition}`,
      sql`truncate signalbox.audit_entries`,
    ])
      await expect(asRole("signalbox_migrator")(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test.each([
    ["update", sql`update signalbox.audit_entries set payload = '{}'`],
    ["delete", sql`delete from signalbox.audit_entries`],
    ["update of a partition", sql`update ${partition} set payload = '{}'`],
    ["delete from a partition", sql`delete from ${partition}`],
    ["truncate of a partition", sql`truncate ${partition}`],
  ])("by a superuser, whom row security does not bind: %s", async (_, statement) => {
    await expect(asSuperuser(statement)).rejects.toMatchObject({ code: "23001", message: /append-only/ });
  });
});

describe("D19: identity, time, transaction and salt are the database's", () => {
  test.each([
    ["recorded_at", sql`'2020-01-01T00:00:00Z'`],
    ["audit_id", sql`gen_random_uuid()`],
    ["transaction", sql`'1'::xid8`],
    ["salt", sql`decode(repeat('00', 16), 'hex')`],
  ])("the app may not name %s", async (column, value) => {
    const forged = sql`insert into signalbox.audit_entries (tenant_id, event_type, actor_type, actor_id, payload, ${sql.identifier(column)})
      values ('east', 1, 1, 'x', '{}', ${value})`;
    await expect(asApp(forged)).rejects.toMatchObject({ code: "42501" });
  });

  test("it gives each entry its own, and one transaction's entries that transaction's number", async () => {
    const before = new Date().toISOString();
    const records = await append("salted", [entry("{}"), entry("{}"), entry("{}")]);
    const { entries } = await opened.database.inTenant("salted", (tx) => listAuditEntries(tx, { limit: 10 }));
    expect(entries.map(({ auditId }) => auditId)).toEqual(records.map(({ auditId }) => auditId).toReversed());
    expect(new Set(entries.map(({ salt }) => Buffer.from(salt).toString("hex")))).toHaveProperty("size", 3);
    expect(entries.every(({ salt }) => salt.length === 16)).toBe(true);
    expect(new Set(entries.map(({ transaction }) => transaction))).toHaveProperty("size", 1);
    expect(
      entries.every(({ recordedAt }) => /^\d{4}-\d\d-\d\dT[\d:]{8}(\.\d{1,6})?Z$/.test(recordedAt)),
    ).toBe(true);
    expect(entries.every(({ recordedAt }) => recordedAt.slice(0, 16) >= before.slice(0, 16))).toBe(true);
  });
});

test("the payload's bytes are kept: order, spacing, numbers, escapes and duplicate keys", async () => {
  const payload = String.raw`{ "b": 1.0,"a":  1e400, "a": "\u0000\ud83d 😀 ' \\", "big": 12345678901234567890 }`;
  await append("exact", [entry(payload)]);
  const { entries } = await opened.database.inTenant("exact", (tx) => listAuditEntries(tx, { limit: 1 }));
  expect(entries[0]?.payload).toBe(payload);
});

test("correlation is kept in columns, and what is absent is null", async () => {
  const correlation = {
    traceId: "t",
    pipelineId: "p",
    stageId: "s",
    dispatchId: "d",
    attemptNumber: 2,
    packId: "painter",
  };
  await append("columns", [entry("{}", correlation), entry("{}")]);
  const { entries } = await opened.database.inTenant("columns", (tx) => listAuditEntries(tx, { limit: 2 }));
  expect(entries[1]).toMatchObject({ ...correlation, eventType: 101, actorType: 3, actorId: "ada" });
  expect(entries[0]).toMatchObject({ traceId: null, packId: null, attemptNumber: null });
});

test("no entries are no statement", async () => {
  expect(await append("east", [])).toEqual([]);
});

test("what is not JSON is refused and nothing of the batch is kept", async () => {
  await expect(append("whole", [entry("{}"), entry("{")])).rejects.toThrow("is not JSON");
  expect(await opened.database.inTenant("whole", (tx) => listAuditEntries(tx, { limit: 1 }))).toEqual({
    entries: [],
    next: undefined,
  });
});

test("pages by cursor meet every entry once, newest first", async () => {
  await append(
    "pages",
    Array.from({ length: 25 }, (_, number) => entry(`[${number}]`)),
  );
  const seen: string[] = [];
  await opened.database.inTenant("pages", async (tx) => {
    let page = await listAuditEntries(tx, { limit: 7 });
    for (;;) {
      seen.push(...page.entries.map(({ payload }) => payload));
      if (page.next === undefined) {
        break;
      }
      page = await listAuditEntries(tx, { limit: 7, after: page.next });
    }
  });
  expect(seen).toEqual(Array.from({ length: 25 }, (_, number) => `[${24 - number}]`));
});

describe("partitions", () => {
  test("two callers at once both succeed, and one makes them", async () => {
    const made = await Promise.all([
      ensureAuditPartitions(opened.database, 6),
      ensureAuditPartitions(opened.database, 6),
    ]);
    expect(new Set(made)).toEqual(new Set([0, 3]));
  });

  test("all of them keep entries of up to half a page as they are, without compressing them", async () => {
    const kept = await asSuperuser(sql`
      select relname, reloptions::text as options from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'signalbox.audit_entries'::regclass`);
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.filter(({ options }) => options !== "{toast_tuple_target=4096}")).toEqual([]);
  });

  test.each([-1, 25])("%d months ahead are refused", async (months) => {
    await expect(ensureAuditPartitions(opened.database, months)).rejects.toMatchObject({ code: "22023" });
  });

  test("writers go on while one is made", async () => {
    let made: number | undefined;
    await opened.database.inTenant("busy", async (tx) => {
      await appendAuditEntries(tx, [entry("{}")]);
      await withConnection(opened.made.appUrl, async (other) => {
        const [row] = await other.execute(sql`select signalbox.ensure_audit_partitions(8) as made`);
        made = Number(row?.["made"]);
      });
    });
    expect(made).toBe(2);
  });

  test("a month without one refuses the entry: an entry is never dropped in silence (D21)", async () => {
    await asSuperuser(sql`drop table ${partition}`);
    await expect(append("east", [entry("{}")])).rejects.toMatchObject({ code: "23514" });
    await ensureAuditPartitions(opened.database, 0);
    await expect(append("east", [entry("{}")])).resolves.toHaveLength(1);
  });
});
