import { randomBytes } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "./connection.ts";
import { connectionOf, queriesOf, type Database } from "./database.ts";
import { appendAuditEntries } from "./repositories/audit-entries.ts";
import { insertKey } from "./repositories/keys.ts";
import { insertMember } from "./repositories/members.ts";
import { insertPack } from "./repositories/packs.ts";
import { insertSession } from "./repositories/sessions.ts";
import { insertSignInLink } from "./repositories/sign-in-links.ts";
import { ensureTenant } from "./repositories/tenants.ts";
import { openTestDatabase } from "./testing/index.ts";

const TABLES = ["audit_entries", "keys", "members", "packs", "sessions", "sign_in_links", "tenants"] as const;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  for (const tenantId of ["east", "west"]) {
    await database.inTenant(tenantId, async (tx) => {
      await ensureTenant(tx, { name: tenantId });
      await insertPack(tx, {
        packId: "painter",
        packVersion: "1.0.0",
        manifest: "{}",
        contentDigest: randomBytes(32),
        safetyTier: 1,
        supportedTaskTypes: [],
        registeredBy: "test",
      });
      await insertKey(tx, { hash: randomBytes(32), prefix: "x", label: "x", role: "x", createdBy: "test" });
      await insertMember(tx, { memberId: "x", name: "x", role: "x", createdBy: "test" });
      await insertSession(tx, { hash: randomBytes(32), actorId: "x", role: "x", lastsMinutes: 1 });
      await insertSignInLink(tx, { hash: randomBytes(32), actorId: "x", role: "x", lastsMinutes: 1 });
      await appendAuditEntries(tx, [{ eventType: 101, actor: { type: 4, id: "test" }, payload: "{}" }]);
    });
  }
});
afterAll(() => opened.end());

const inEast = (statement: SQL) => database.inTenant("east", (tx) => queriesOf(tx).execute(statement));

const inEmpty = (statement: SQL) =>
  connectionOf(database).transaction({ "signalbox.tenant_id": "" }, (queries) => queries.execute(statement));

describe.each(TABLES)("%s", (name) => {
  const table = sql.raw(`signalbox.${name}`);

  test("a tenant sees its own rows, even when it asks for all", async () => {
    expect(await inEast(sql`select distinct tenant_id from ${table}`)).toEqual([{ tenant_id: "east" }]);
    expect(await inEast(sql`select 1 from ${table} where tenant_id = 'west'`)).toEqual([]);
  });

  test("without a tenant there are no rows", async () => {
    expect(await connectionOf(database).execute(sql`select 1 from ${table}`)).toEqual([]);
  });

  test("an empty tenant has no rows and may write none", async () => {
    expect(await inEmpty(sql`select 1 from ${table}`)).toEqual([]);
    await expect(inEmpty(copyRow(name, ""))).rejects.toMatchObject({ code: "42501" });
  });

  test("a row of another tenant cannot be written", async () => {
    await expect(inEast(copyRow(name, "west"))).rejects.toMatchObject({
      code: "42501",
      message: expect.stringContaining("row-level security"),
    });
  });
});

/** An insert of exactly what the app may insert, as another tenant. */
function copyRow(table: (typeof TABLES)[number], tenantId: string): SQL {
  const rest = {
    audit_entries: sql`(tenant_id, event_type, actor_type, actor_id, payload) values (${tenantId}, 1, 1, 'x', '{}')`,
    keys: sql`(tenant_id, hash, prefix, label, role, created_by) values (${tenantId}, ${randomBytes(32)}, 'x', 'x', 'x', 'x')`,
    members: sql`(tenant_id, member_id, name, role, created_by) values (${tenantId}, 'y', 'x', 'x', 'x')`,
    packs: sql`(tenant_id, pack_id, pack_version, manifest, content_digest, safety_tier, supported_task_types, registered_by)
      values (${tenantId}, 'forged', '1.0.0', '{}', ${randomBytes(32)}, 1, '{}', 'x')`,
    sessions: sql`(tenant_id, hash, actor_id, role, expires_at) values (${tenantId}, ${randomBytes(32)}, 'x', 'x', now())`,
    sign_in_links: sql`(tenant_id, hash, actor_id, role, expires_at) values (${tenantId}, ${randomBytes(32)}, 'x', 'x', now())`,
    tenants: sql`(tenant_id, name) values (${tenantId}, 'x')`,
  };
  return sql`insert into ${sql.raw(`signalbox.${table}`)} ${rest[table]}`;
}

test("updates reach the own tenant's rows only", async () => {
  await inEast(sql`update signalbox.keys set revoked_at = now()`);
  await inEast(sql`update signalbox.sessions set ended_at = now() where tenant_id = 'west'`);
  const untouched = await database.inTenant("west", (tx) =>
    queriesOf(tx).execute(sql`
      select (select count(*)::int from signalbox.keys where revoked_at is null) as keys,
             (select count(*)::int from signalbox.sessions where ended_at is null) as sessions`),
  );
  expect(untouched).toEqual([{ keys: 1, sessions: 1 }]);
});

test("a row cannot be moved to another tenant", async () => {
  await expect(inEast(sql`update signalbox.keys set tenant_id = 'west'`)).rejects.toMatchObject({
    code: "42501",
  });
});

test("a partition of the audit log is no way around", async () => {
  const [partition] = await connectionOf(database).execute(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'signalbox.audit_entries'::regclass limit 1`,
  );
  await expect(inEast(sql`select 1 from ${sql.raw(String(partition?.["name"]))}`)).rejects.toMatchObject({
    code: "42501",
  });
});

test.each(["", " ", "a b", "-east", "east\n", "e".repeat(129), "'; --"])(
  "inTenant refuses %j before any statement",
  async (tenantId) => {
    let ran = false;
    const attempt = database.inTenant(tenantId, () => {
      ran = true;
      return Promise.resolve();
    });
    await expect(attempt).rejects.toMatchObject({ fault: "TENANT_INVALID" });
    expect(ran).toBe(false);
  },
);

test("two hundred interleaved transactions on four connections never see another's tenant", async () => {
  const seen = await Promise.all(
    Array.from({ length: 200 }, (_, number) => {
      const tenantId = number % 2 === 0 ? "east" : "west";
      return database
        .inTenant(tenantId, async (tx) => {
          const rows = await queriesOf(tx).execute(sql`select tenant_id from signalbox.packs`);
          await queriesOf(tx).execute(sql`select pg_sleep(${(number % 7) / 1000})`);
          if (number % 5 === 0) {
            await queriesOf(tx)
              .execute(sql`select 1 / 0`)
              .catch(() => {});
            return undefined;
          }
          const again = await queriesOf(tx).execute(sql`select tenant_id from signalbox.audit_entries`);
          return [...rows, ...again].every((row) => row["tenant_id"] === tenantId) && rows.length === 1;
        })
        .catch((error: unknown) => (number % 5 === 0 ? "failed as it should" : error));
    }),
  );
  expect(seen.filter((outcome) => outcome === true)).toHaveLength(160);
  expect(seen.filter((outcome) => outcome === "failed as it should")).toHaveLength(40);
});

test.each([
  "create table signalbox.mine (x int)",
  "create table public.mine (x int)",
  "create function signalbox.mine() returns int language sql as 'select 1'",
  "alter table signalbox.packs disable row level security",
  "alter table signalbox.packs no force row level security",
  "alter table signalbox.packs disable trigger all",
  "drop policy tenant_isolation on signalbox.packs",
  "truncate signalbox.keys",
  "delete from signalbox.keys",
  "drop table signalbox.keys",
  "set session_replication_role = replica",
  "set role signalbox_owner",
  "set role signalbox_migrator",
  "alter role signalbox_app bypassrls",
  "insert into signalbox.schema_history (tag, mark) values ('9999_mine', 'compatible')",
  "insert into signalbox_migrations.applied (hash) values ('mine')",
])("the app may not: %s", async (statement) => {
  await expect(inEast(sql.raw(statement))).rejects.toMatchObject({ code: "42501" });
});

test("row security binds even the tables' owner", async () => {
  const rows = await withConnection(opened.made.url, (connection) =>
    connection.transaction({ role: "signalbox_owner" }, (queries) =>
      queries.execute(
        sql`select (select count(*)::int from signalbox.packs) + (select count(*)::int from signalbox.tenants) as seen`,
      ),
    ),
  );
  expect(rows).toEqual([{ seen: 0 }]);
});
