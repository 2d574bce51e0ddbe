import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withConnection } from "./connection.ts";
import { type BatchTransaction, commitWith, openDatabase, queriesOf, type Database } from "./database.ts";
import { demanded, isUnmetDemand } from "./queries/demanded.ts";
import { bumpOfRegistries, readRegistryChanges } from "./queries/registry-changes.ts";
import { createTestDatabase, startRelay, type TestDatabase } from "./testing/index.ts";

let made: TestDatabase;
let relay: Awaited<ReturnType<typeof startRelay>>;
let database: Database;
beforeEach(async () => {
  made = await createTestDatabase();
  relay = await startRelay(made.appUrl);
  database = openDatabase({ url: relay.url, applicationName: "test", maxConnections: 1 });
});
afterEach(async () => {
  await database.close();
  await relay.close();
  await made.dispose();
});

const bump = () => bumpOfRegistries(["east"]);
const asked = () => sql`select ${"said"}::text as said`;
const inEast = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  database.inTenants(["east"], work, { repeatable: true });
const changes = async () => {
  const [registry] = await inEast((tx) => readRegistryChanges(tx, ["east"]));
  return registry?.change;
};

describe("a transaction's last statements", () => {
  test("go with BEGIN before them and COMMIT behind them, before the first answer", async () => {
    await inEast((tx) => commitWith(tx, [bump(), asked()]));
    relay.silence();
    const written = inEast((tx) => commitWith(tx, [bump(), undefined, asked()]));
    // BEGIN, the setting of the tenant, two statements and COMMIT.
    await relay.statementsSent(5);
    relay.speak();
    expect(await written).toMatchObject([[{ tenantId: "east" }], [], [{ said: "said" }]]);
    expect(await changes()).toBe(2);
  });

  test("are all there when who sent them is answered, also where each has to be prepared first", async () => {
    await inEast((tx) => commitWith(tx, [bump(), asked()]));
    expect(await changes()).toBe(1);
  });

  test("leave nothing where one of them fails, and the connection is as before", async () => {
    await inEast((tx) => commitWith(tx, [bump(), sql`select ${demanded(sql`true`)}`]));
    const refused = inEast((tx) => commitWith(tx, [bump(), sql`select ${demanded(sql`false`)}`, asked()]));
    await expect(refused).rejects.toSatisfy(isUnmetDemand);
    expect(await changes()).toBe(1);
  });

  test("leave nothing where one of them cannot be written", async () => {
    const failure = new Error("on purpose");
    const unwritable = {
      toString: () => {
        throw failure;
      },
    };
    await inEast((tx) => commitWith(tx, [bump(), asked()]));
    for (const statements of [
      [bump(), sql`select ${unwritable}::text as said`],
      [sql`select ${unwritable}::text as said`, bump()],
    ])
      await expect(inEast((tx) => commitWith(tx, statements))).rejects.toThrow("on purpose");
    expect(await changes()).toBe(1);
    expect(await inEast((tx) => commitWith(tx, [bump(), asked()]))).toHaveLength(2);
    expect(await changes()).toBe(2);
  });

  test("are the last: what is sent after them is refused, and they are kept", async () => {
    const late = inEast(async (tx) => {
      await commitWith(tx, [bump()]);
      await queriesOf(tx).execute(asked());
    });
    await expect(late).rejects.toMatchObject({ fault: "TRANSACTION_OVER" });
    expect(await changes()).toBe(1);
  });

  test("may be none", async () => {
    await inEast(async (tx) => {
      await queriesOf(tx).execute(bump() ?? asked());
      await commitWith(tx, [undefined]);
    });
    expect(await changes()).toBe(1);
  });
});

test("work that may be repeated is done again where its connection turns out to be lost before any answer", async () => {
  let runs = 0;
  const write = () =>
    inEast((tx) => {
      runs += 1;
      return commitWith(tx, [bump(), asked()]);
    });
  await write();
  // The pool does not know of it when the work begins.
  relay.silence();
  await withConnection(made.url, ({ execute }) =>
    execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test' and datname = current_database()`,
    ),
  );
  const sent = relay.statementsSent(1);
  const again = write();
  await sent;
  relay.speak();
  await again;
  expect(runs).toBe(3);
  expect(await changes()).toBe(2);
});

test("work that may be repeated is not done again once the server has answered", async () => {
  let runs = 0;
  const cut = inEast(async (tx) => {
    runs += 1;
    await queriesOf(tx).execute(asked());
    await withConnection(made.url, ({ execute }) =>
      execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test' and datname = current_database()`,
      ),
    );
    await commitWith(tx, [bump()]);
  });
  await expect(cut).rejects.toThrow(/CONNECTION_CLOSED|terminating connection|ECONNRESET/);
  expect(runs).toBe(1);
  expect(await changes()).toBe(0);
});
