import { randomBytes } from "node:crypto";
import { setImmediate as immediate, setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "./connection.ts";
import { inSavepoint, openDatabase, queriesOf, type Database, type TenantTransaction } from "./database.ts";
import { findKeyByHash } from "./repositories/keys.ts";
import { findSessionByHash } from "./repositories/sessions.ts";
import { findSignInLinkByHash } from "./repositories/sign-in-links.ts";
import { ensureTenant, findTenant } from "./repositories/tenants.ts";
import { openTestDatabase } from "./testing/index.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase({ maxConnections: 1 });
  database = opened.database;
});
afterAll(() => opened.end());

const run = (tx: TenantTransaction, statement: string) => queriesOf(tx).execute(sql.raw(statement));

const terminateAll = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = ${opened.made.name} and application_name = 'signalbox test'`;
const terminate = () => withConnection(opened.made.url, (connection) => connection.execute(terminateAll()));

const failing = async (url: string): Promise<unknown> => {
  const attempt = openDatabase({ url, applicationName: "test", maxConnections: 1 });
  try {
    return await attempt.probe().catch((error: unknown) => error);
  } finally {
    await attempt.close();
  }
};
const changed = (change: (url: URL) => void): string => {
  const url = new URL(opened.made.appUrl);
  change(url);
  return url.href;
};

test("work that throws leaves nothing", async () => {
  const failure = new Error("on purpose");
  await expect(
    database.inTenant("undone", async (tx) => {
      await ensureTenant(tx, { name: "undone" });
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(await database.inTenant("undone", findTenant)).toBeUndefined();
});

test("a statement whose failure was swallowed still fails the transaction", async () => {
  const swallowed = database.inTenant("undone", async (tx) => {
    await ensureTenant(tx, { name: "undone" });
    await run(tx, "select 1/0").catch(() => {});
    return "as if nothing had been";
  });
  await expect(swallowed).rejects.toMatchObject({ code: "22012" });
  expect(await database.inTenant("undone", findTenant)).toBeUndefined();
});

test("a savepoint that fails undoes its own changes only", async () => {
  const found = await database.inTenant("saved", async (tx) => {
    await ensureTenant(tx, { name: "saved" });
    await expect(
      inSavepoint(tx, async (inner) => {
        expect(inner.tenantId).toBe("saved");
        await run(inner, "insert into signalbox.tenants (tenant_id, name) values ('other', 'x')");
      }),
    ).rejects.toThrow("row-level security");
    return findTenant(tx);
  });
  expect(found).toMatchObject({ name: "saved" });
});

test("inTenant inside inTenant is refused: it would wait for a connection that the outer one holds", async () => {
  const nested = database.inTenant("outer", () => database.inTenant("inner", findTenant));
  await expect(nested).rejects.toMatchObject({ fault: "TRANSACTION_NESTED" });
});

test("a transaction that was kept past its end reaches no other's connection", async () => {
  const kept = await database.inTenant("east", (tx) => Promise.resolve({ tx }));
  await expect(findTenant(kept.tx)).rejects.toMatchObject({ cause: { fault: "TRANSACTION_OVER" } });
});

test("a statement that is waited for after its transaction's end is not sent, neither alone nor in another's", async () => {
  const late = await database.inTenant("east", (tx) =>
    Promise.resolve({ kept: queriesOf(tx).execute(sql`select 1 / ${0}::int as fails`), tx }),
  );
  const own = await database.inTenant("west", async (tx) => {
    await run(tx, "select 1");
    await expect(late.kept).rejects.toMatchObject({ fault: "TRANSACTION_OVER" });
    return run(tx, "select 2 as answer");
  });
  expect(own).toEqual([{ answer: 2 }]);
  await expect(late.kept).rejects.toMatchObject({ fault: "TRANSACTION_OVER" });
  const refused = await Promise.allSettled([queriesOf(late.tx).execute("select 1")]);
  expect(refused).toMatchObject([{ status: "rejected", reason: { fault: "TRANSACTION_OVER" } }]);
});

test("statements are prepared, each once a connection", async () => {
  const prepared = await database.inTenant("east", async (tx) => {
    await findTenant(tx);
    await findTenant(tx);
    return run(
      tx,
      `select count(*) > 0 as prepared, count(*) = count(distinct statement) as once
       from pg_prepared_statements where statement like '%"tenants"%'`,
    );
  });
  expect(prepared).toEqual([{ prepared: true, once: true }]);
});

test("what waits too long is cut: statements, locks, and transactions that idle", async () => {
  const [settings] = await database.inTenant("east", (tx) =>
    run(
      tx,
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone,
              current_setting('search_path') as path`,
    ),
  );
  expect(settings).toEqual({ statement: "15s", lock: "5s", idle: "30s", zone: "UTC", path: "pg_catalog" });
});

test("a moment is read back as it was written, to the millisecond", async () => {
  const before = Date.now();
  await database.inTenant("moment", (tx) => ensureTenant(tx, { name: "moment" }));
  const found = await database.inTenant("moment", findTenant);
  const [stored] = await database.inTenant("moment", (tx) =>
    run(tx, "select extract(epoch from created_at)::float8 * 1000 as stored from signalbox.tenants"),
  );
  expect(found?.createdAt.getTime()).toBe(stored?.["stored"]);
  expect(Math.abs((found?.createdAt.getTime() ?? 0) - before)).toBeLessThan(5000);
});

describe("a lost connection fails its transaction and nothing else", () => {
  test.each([
    ["and the work goes on at once", 0],
    ["and the work goes on when the loss is known", 50],
  ])("between two statements, %s", async (_, wait) => {
    const lost = database.inTenant("east", async (tx) => {
      await findTenant(tx);
      await terminate();
      await pause(wait);
      return findTenant(tx);
    });
    await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await expect(database.inTenant("east", findTenant)).resolves.toBeUndefined();
  });

  test("and the work swallows it", async () => {
    const swallowed = Promise.withResolvers<unknown>();
    const lost = database.inTenant("east", async (tx) => {
      await findTenant(tx);
      await terminate();
      await pause(50);
      await findTenant(tx).catch(swallowed.resolve);
      return "as if nothing had been";
    });
    await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await swallowed.promise).toMatchObject({ cause: { fault: "TRANSACTION_OVER" } });
    await expect(database.inTenant("east", findTenant)).resolves.toBeUndefined();
  });

  test("during a statement, inside a savepoint", async () => {
    const lost = database.inTenant("east", (tx) =>
      inSavepoint(tx, async (inner) => {
        await findTenant(inner);
        const sleeping = run(inner, "select pg_sleep(10)");
        await Promise.all([sleeping, pause(50).then(terminate)]);
      }),
    );
    await expect(lost).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/);
    await expect(database.inTenant("east", findTenant)).resolves.toBeUndefined();
  });
});

test("a statement that meets the very moment of its connection's end is answered, and the next one too", async () => {
  await withConnection(opened.made.url, async (connection) => {
    for (let round = 0; round < 100; round += 1) {
      await database.probe();
      const ended = connection.execute(terminateAll());
      for (let turns = round % 20; turns > 0; turns -= 1) {
        await immediate();
      }
      await expect(database.probe()).resolves.toBeUndefined();
      await ended;
    }
  });
});

test("a pool whose connections were lost while idle fails nobody", async () => {
  await database.inTenant("east", findTenant);
  await terminate();
  await expect(database.inTenant("east", findTenant)).resolves.toBeUndefined();
  await terminate();
  await expect(database.probe()).resolves.toBeUndefined();
  for (const lookUp of [findKeyByHash, findSessionByHash, findSignInLinkByHash]) {
    await terminate();
    await expect(lookUp(database, randomBytes(32))).resolves.toBeUndefined();
  }
});

describe("a database that cannot be used is named without its password", () => {
  const secret = "s3cret-of-mine";
  test.each([
    ["a wrong password", "ACCESS_DENIED", (url: URL) => void (url.password = secret)],
    ["an unknown login", "ACCESS_DENIED", (url: URL) => void (url.username = "nobody-known")],
    ["a missing database", "DATABASE_MISSING", (url: URL) => void (url.pathname = "/missing")],
    ["nobody listening", "UNREACHABLE", (url: URL) => void ((url.port = "1"), (url.password = secret))],
  ])("%s", async (_, fault, change) => {
    const error = await failing(changed(change));
    expect(error).toMatchObject({ fault, message: expect.stringContaining("DATABASE_URL (127.0.0.1:") });
    expect(String(error)).not.toContain(secret);
  });
});
