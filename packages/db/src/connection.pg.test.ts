import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withConnection } from "./connection.ts";
import { openDatabase, queriesOf, type Database, type TenantTransaction } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded/embedded-postgres.ts";
import { createTestDatabase, startRelay, type TestDatabase } from "./testing/index.ts";

let made: TestDatabase;
let relay: Awaited<ReturnType<typeof startRelay>>;
let database: Database | undefined;
beforeEach(async () => {
  made = await createTestDatabase();
  relay = await startRelay(made.appUrl);
});
afterEach(async () => {
  await database?.close();
  await relay.close();
  await made.dispose();
});

const open = (settings: Partial<Parameters<typeof openDatabase>[0]> = {}) =>
  (database = openDatabase({ url: relay.url, applicationName: "test", maxConnections: 1, ...settings }));

const echo = (tx: TenantTransaction, value: unknown) =>
  queriesOf(tx).execute<{ value: string }>(sql`select ${value}::text as value`);
const echoed = async (tx: TenantTransaction, values: string[]) =>
  (await Promise.all(values.map((value) => echo(tx, value)))).map((rows) => rows[0]?.value);

describe("statements of one transaction that do not wait for each other", () => {
  test("are all sent before the first answer", async () => {
    const values = Array.from({ length: 8 }, (_, index) => `${index}`);
    const answers = await open().inTenant("east", async (tx) => {
      await echo(tx, "prepared");
      relay.silence();
      const asked = echoed(tx, values);
      await relay.statementsSent(values.length);
      relay.speak();
      return asked;
    });
    expect(answers).toEqual(values);
  });

  test("go together again once one of them had to be prepared", async () => {
    const answers = await open().inTenant("east", async (tx) => {
      await echo(tx, "prepared");
      const sent = [relay.statementsSent(2), relay.statementsSent(4)];
      const unprepared = sql`select ${"new"}::text as value, 1 as other`;
      const asked = Promise.all([
        queriesOf(tx).execute(unprepared),
        ...["1", "2", "3"].map((one) => echo(tx, one)),
      ]);
      await sent[0];
      relay.silence();
      await sent[1];
      relay.speak();
      return asked;
    });
    expect(answers).toEqual([[{ value: "new", other: 1 }], ...["1", "2", "3"].map((value) => [{ value }])]);
  });

  test("may each be larger than the socket's buffer", async () => {
    const values = ["first", "x".repeat(200_000), "y".repeat(200_000), "last"];
    const answers = await open().inTenant("east", async (tx) => {
      await echo(tx, "prepared");
      return echoed(tx, values);
    });
    expect(answers).toEqual(values);
  });

  test("get their own answers where one of them cannot be written", async () => {
    const failure = new Error("on purpose");
    const unwritable = {
      toString: () => {
        throw failure;
      },
    };
    const work = open().inTenant("east", async (tx) => {
      await echo(tx, "prepared");
      const outcomes = await Promise.allSettled([echo(tx, "1"), echo(tx, unwritable), echo(tx, "3")]);
      expect(outcomes).toMatchObject([
        { value: [{ value: "1" }] },
        { reason: failure },
        { value: [{ value: "3" }] },
      ]);
    });
    await expect(work).rejects.toBe(failure);
    await expect(database?.probe()).resolves.toBeUndefined();
  });
});

test("what is asked one after the other goes over one connection: those that a rush opened idle, and are closed", async () => {
  const opened = open({ maxConnections: 4 });
  const server = (seconds = 0) =>
    opened.inTenants(["east"], async (tx) => {
      const [row] = await queriesOf(tx).execute<{ pid: number }>(
        sql`select pg_backend_pid() as pid from pg_sleep(${seconds})`,
      );
      return row?.pid;
    });
  expect(new Set(await Promise.all([0.2, 0.2, 0.2, 0.2].map(server))).size).toBe(4);
  const after = [];
  for (let count = 0; count < 8; count += 1) after.push(await server());
  expect(new Set(after).size).toBe(1);
});

test("a pool has its own bound for transactions that idle", async () => {
  const idle = await open({ idleInTransactionTimeoutMs: 5000 }).inTenant("east", (tx) =>
    queriesOf(tx).execute(sql`select current_setting('idle_in_transaction_session_timeout') as idle`),
  );
  expect(Array.from(idle)).toEqual([{ idle: "5s" }]);
});

describe("a process that is frozen in a transaction gives back what it holds", () => {
  const lock = sql`select pg_advisory_xact_lock(1)`;

  /** Somebody else gets the lock that it holds, and waits for it no longer than lock_timeout says. */
  async function expectGivenBack(freeze: () => void, next: SQL): Promise<void> {
    const frozen = open({ transactionTimeoutMs: 1_000, idleInTransactionTimeoutMs: 500 });
    const isHeld = Promise.withResolvers<void>();
    const work = frozen.inTenant("east", async (tx) => {
      await queriesOf(tx).execute(lock);
      freeze();
      isHeld.resolve();
      await queriesOf(tx).execute(next);
    });
    await Promise.race([isHeld.promise, work]);
    const waiter = withConnection(made.url, (other) => other.execute(lock));
    await waiter;
    relay.speak();
    await expect(work).rejects.toThrow(/CONNECTION_CLOSED|ECONNRESET|transaction timeout/);
  }

  test.each([
    ["when it has asked what a statement takes", "H"],
    ["when it has not said that a statement is whole", "E"],
  ] as const)("%s", (_, part) =>
    expectGivenBack(() => relay.freezeAfter(part), sql`select ${part}::text as value, 1 as other`),
  );

  test("when it does not read what it is answered", () =>
    expectGivenBack(() => relay.silence(), sql`select repeat('long ', 10_000_000) as value`));
});

describe("a server that is frozen", () => {
  test("fails what it owes an answer, and the connection is replaced", async () => {
    const frozen = open({ answerTimeoutMs: 500 });
    await frozen.probe();
    relay.silence();
    await expect(frozen.probe()).rejects.toMatchObject({ fault: "UNREACHABLE" });
    relay.speak();
    await expect(frozen.probe()).resolves.toBeUndefined();
  });

  test("fails all statements of a transaction that are under way", async () => {
    const work = open({ answerTimeoutMs: 500 }).inTenant("east", async (tx) => {
      await echo(tx, "prepared");
      relay.silence();
      await echoed(tx, ["1", "2", "3"]);
    });
    await expect(work).rejects.toThrow(/ANSWER_TIMEOUT|CONNECTION_CLOSED|no answer/);
    relay.speak();
    await expect(database?.inTenant("east", (tx) => echoed(tx, ["again"]))).resolves.toEqual(["again"]);
  });

  test("is not what a transaction is that thinks for longer, nor a connection that idles", async () => {
    const slow = open({ answerTimeoutMs: 300 });
    const answers = await slow.inTenant("east", async (tx) => {
      await echo(tx, "1");
      await pause(700);
      return echoed(tx, ["2"]);
    });
    expect(answers).toEqual(["2"]);
    await pause(700);
    await expect(slow.probe()).resolves.toBeUndefined();
  });
});

test("a server that was away for longer serves on every connection as soon as it is back", async () => {
  const opened = open({ maxConnections: 4 });
  const probes = () => Promise.allSettled([1, 2, 3, 4].map(() => opened.probe()));
  await probes();
  await relay.cut();
  for (let round = 0; round < 3; round += 1)
    expect((await probes()).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  await relay.restore();
  const answered = probes().then((outcomes) => outcomes.map(({ status }) => status));
  expect(await Promise.race([answered, pause(4_000, "late")])).toEqual(Array(4).fill("fulfilled"));
});

test("a server that is stopped at once fails what is under way, and serves again when it is back", async () => {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-hard-stop-"));
  chmodSync(directory, 0o711);
  const first = await startEmbeddedPostgres({ directory, durable: false });
  await relay.close();
  relay = await startRelay(first.url);
  const through = open({ url: relay.url, maxConnections: 3 });
  try {
    const begun = Promise.withResolvers<void>();
    const idling = through.inTenant("east", async (tx) => {
      await echo(tx, "1");
      begun.resolve();
      await first.lost;
      await echo(tx, "2");
    });
    await begun.promise;
    const pending = [
      idling,
      through.inTenant("east", (tx) => queriesOf(tx).execute(sql`select pg_sleep(10)`)),
      ...Array.from({ length: 6 }, () =>
        through.inTenant("east", (tx) =>
          Promise.all([echo(tx, "1"), queriesOf(tx).execute(sql`select pg_sleep(10)`), echo(tx, "3")]),
        ),
      ),
    ];
    const settled = Promise.allSettled(pending);
    await pause(200);
    const [postmaster] = readFileSync(join(first.dataDirectory, "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(postmaster), "SIGQUIT");
    const outcomes = await settled;
    expect(outcomes.map(({ status }) => status)).toEqual(pending.map(() => "rejected"));
    await expect(through.probe()).rejects.toMatchObject({
      code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET)$/),
    });
  } finally {
    await first.stop();
  }
  const second = await startEmbeddedPostgres({ directory, durable: false });
  try {
    relay.moveTo(second.url);
    const answers = await Promise.all(
      ["1", "2", "3", "4"].map((value) => through.inTenant("east", (tx) => echoed(tx, [value]))),
    );
    expect(answers).toEqual([["1"], ["2"], ["3"], ["4"]]);
  } finally {
    await through.close();
    await second.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
