import { randomBytes } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BATCHED_TABLES } from "./catalogue/expected-rights.ts";
import { withConnection } from "./connection.ts";
import { connectionOf, queriesOf, type Database } from "./database.ts";
import { appendAuditEntries } from "./repositories/audit-entries.ts";
import { insertKey } from "./repositories/keys.ts";
import { insertPack } from "./repositories/packs.ts";
import { insertSession } from "./repositories/sessions.ts";
import { ensureTenant } from "./repositories/tenants.ts";
import { openTestDatabase } from "./testing/index.ts";
import { insertAs, ORCHESTRATOR_TABLES } from "./testing/orchestrator-rows.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  for (const tenantId of ["east", "north", "west"]) {
    await database.inTenant(tenantId, async (tx) => {
      await ensureTenant(tx, { name: tenantId });
      for (const table of ORCHESTRATOR_TABLES) {
        await queriesOf(tx).execute(insertAs(table, tenantId));
      }
      await insertKey(tx, { hash: randomBytes(32), prefix: "x", label: "x", role: "x", createdBy: "test" });
      await insertSession(tx, { hash: randomBytes(32), actorId: "x", role: "x", lastsMinutes: 1 });
      await insertPack(tx, {
        packId: "painter",
        packVersion: "1.0.0",
        manifest: "{}",
        contentDigest: randomBytes(32),
        safetyTier: 1,
        supportedTaskTypes: [],
        registeredBy: "test",
      });
      await appendAuditEntries(tx, [{ eventType: 101, actor: { type: 4, id: "test" }, payload: "{}" }]);
    });
  }
});
afterAll(() => opened.end());

const within = (setting: string, statement: SQL) =>
  connectionOf(database).transaction({ "signalbox.tenant_id": setting }, (queries) =>
    queries.execute(statement),
  );
const inBatch = (statement: SQL) => within("east,north", statement);
const named = (table: string) => sql.raw(`signalbox.${table}`);

const readable = ["audit_entries", "packs", ...ORCHESTRATOR_TABLES];

/** The app writes them by its batches and may not read them at all: pipelines.pg.test.ts tries that. */
const onlyWritten = ["pipeline_words"];

test("every batched table is tried here", () => {
  const tried = [...readable, ...onlyWritten].map((table) => `signalbox.${table}`);
  expect(tried.toSorted()).toEqual([...BATCHED_TABLES].toSorted());
});

describe.each(readable)("%s", (table) => {
  test("a batch of two tenants sees both and never the third", async () => {
    expect(await inBatch(sql`select distinct tenant_id from ${named(table)} order by 1`)).toEqual([
      { tenant_id: "east" },
      { tenant_id: "north" },
    ]);
    expect(await inBatch(sql`select 1 from ${named(table)} where tenant_id = 'west'`)).toEqual([]);
  });

  test("one tenant sees its own; none, an empty list and empty names see nothing", async () => {
    expect(await within("east", sql`select distinct tenant_id from ${named(table)}`)).toEqual([
      { tenant_id: "east" },
    ]);
    expect(await connectionOf(database).execute(sql`select 1 from ${named(table)}`)).toEqual([]);
    expect(await within("", sql`select 1 from ${named(table)}`)).toEqual([]);
    expect(await within(",", sql`select 1 from ${named(table)}`)).toEqual([]);
  });
});

const lookedUp = new Set<string>([
  "escalations",
  "events",
  "instances",
  "kept_answers",
  "open_dispatches",
  "pipelines",
  "sap_signals",
  "stages",
  // By whom something may hold (ALERT-7).
  "alert_watches",
  "breakers",
  "fired_alerts",
]);

describe.each(ORCHESTRATOR_TABLES)("%s", (table) => {
  test("a batch writes no row of a tenant that is not in it", async () => {
    await expect(inBatch(insertAs(table, "west"))).rejects.toMatchObject({
      code: "42501",
      message: expect.stringContaining("row-level security"),
    });
  });

  test("no tenant, no row", async () => {
    await expect(within("", insertAs(table, ""))).rejects.toMatchObject({ code: "42501" });
  });

  test("without the lock of a policy the owner sees nothing but what its functions look up", async () => {
    const seen = await withConnection(opened.made.url, (connection) =>
      connection.transaction({ role: "signalbox_owner" }, (queries) =>
        queries.execute(sql`select count(*)::int as seen from ${named(table)}`),
      ),
    );
    expect(seen).toEqual([{ seen: lookedUp.has(table) ? 3 : 0 }]);
  });
});

test.each(["keys", "sessions", "sign_in_links", "tenants"])(
  "a batch of several tenants opens no row of %s",
  async (table) => {
    expect(await inBatch(sql`select 1 from ${named(table)}`)).toEqual([]);
  },
);

test("a batch cannot write a key for one of its tenants", async () => {
  const forged = sql`insert into signalbox.keys (tenant_id, hash, prefix, label, role, created_by)
    values ('east', ${randomBytes(32)}, 'x', 'x', 'administrator', 'x')`;
  await expect(inBatch(forged)).rejects.toMatchObject({ code: "42501" });
});

describe.each(["dispatches", "results", "tasks"])("%s keep what they were given", (table) => {
  const [column] = { dispatches: ["spans"], results: ["standing"], tasks: ["task"] }[table] ?? [""];
  const changes = [
    sql`update ${named(table)} set ${sql.identifier(column ?? "")} = '{}'`,
    sql`delete from ${named(table)}`,
    sql`truncate ${named(table)}`,
  ];

  test("from the app", async () => {
    for (const change of changes) {
      await expect(inBatch(change)).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("from a superuser, whom row security does not bind", async () => {
    for (const change of changes) {
      await expect(
        withConnection(opened.made.url, (connection) => connection.execute(change)),
      ).rejects.toMatchObject({ code: "23001", message: expect.stringMatching(/append-only/) });
    }
  });
});

test("updates and deletes of a batch reach its tenants' rows only", async () => {
  await inBatch(sql`update signalbox.stages set status = 9`);
  await inBatch(sql`delete from signalbox.open_dispatches`);
  expect(
    await within(
      "west",
      sql`select (select status from signalbox.stages) as status,
                 (select count(*)::int from signalbox.open_dispatches) as open`,
    ),
  ).toEqual([{ status: 1, open: 1 }]);
});

const change = (set: string) =>
  within("east", sql.raw(`update signalbox.routing_policies set ${set} where version = '1'`));

test("a published document is never edited or deleted and never a draft again, but may come back", async () => {
  await change("status = 'active'");
  for (const refused of ["document = 'other'", "note = 'other'", "edit = 2", "status = 'draft'"]) {
    await expect(change(refused)).rejects.toMatchObject({ code: "23001" });
  }
  await change("status = 'retired'");
  await expect(within("east", sql`delete from signalbox.routing_policies`)).rejects.toMatchObject({
    code: "23001",
  });
  await change("status = 'active'");
});

const nothing = () => Promise.resolve();

test("a batch's tenants are checked, sorted and each once; none, and one inside another, are refused", async () => {
  const { tenantIds } = await database.inTenants(["north", "east", "north"], (tx) => Promise.resolve(tx));
  expect(tenantIds).toEqual(["east", "north"]);
  for (const wrong of [[], [""], ["east", "no,rth"]]) {
    await expect(database.inTenants(wrong, nothing)).rejects.toMatchObject({ fault: "TENANT_INVALID" });
  }
  const nested = { fault: "TRANSACTION_NESTED" };
  await database.inTenant("east", async () => {
    await expect(database.inTenants(["east"], nothing)).rejects.toMatchObject(nested);
  });
  await database.inTenants(["east"], async () => {
    await expect(database.inTenant("east", nothing)).rejects.toMatchObject(nested);
  });
});
