import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BatchTransaction, commitWith, openDatabase, queriesOf, type Database } from "./database.ts";
import { recordset } from "./queries/recordset.ts";
import { bumpOfRegistries, readRegistryChanges } from "./queries/registry-changes.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  // Not "test": whoever is called so is ended by the tests of lost connections.
  database = openDatabase({ url: made.appUrl, applicationName: "outgoing", maxConnections: 3 });
});
afterAll(async () => {
  await database.close();
  await made.dispose();
});

interface Thing {
  name: string;
  id?: string;
}

const things = (rows: readonly Thing[]) =>
  sql`select given.name, given.id::text as id from ${recordset(rows, { name: "text", id: "uuid" })}`;
const told = async (tx: BatchTransaction, rows: readonly Thing[]) =>
  (await queriesOf(tx).execute<{ name: string }>(things(rows))).map(({ name }) => name);
const inEast = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  database.inTenants(["east"], work, { repeatable: true });

const changes = async () => {
  const [registry] = await inEast((tx) => readRegistryChanges(tx, ["east"]));
  return registry?.change ?? 0;
};

const LENGTHS = [0, 1, 15, 16, 17, 200, 2_730, 8_191, 8_192, 8_193, 100_000, 1_500_000];
const name = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "é", "中", "😀"), minLength: 1, maxLength: 9 }),
    fc.constantFrom(...LENGTHS),
  )
  .map(([part, length]) =>
    part
      .repeat(Math.ceil(length / part.length))
      .slice(0, length)
      .toWellFormed(),
  );

describe("what a connection is about to send", () => {
  test("is one statement's alone, however many travel, of whatever size, while others cannot be written", async () => {
    const asked = fc.array(fc.record({ names: fc.array(name, { maxLength: 4 }), broken: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(asked, async (statements) => {
        const outcomes = await Promise.allSettled(
          statements.map(({ names, broken }) =>
            inEast((tx) =>
              told(tx, [...names.map((one) => ({ name: one })), ...(broken ? [{ name: "", id: "no" }] : [])]),
            ),
          ),
        );
        expect(outcomes).toMatchObject(
          statements.map(({ names, broken }) =>
            broken ? { reason: new TypeError("id is not a UUID: no") } : { value: names },
          ),
        );
      }),
      { numRuns: 30 },
    );
  });

  test("stays as it is while the server does not read it, whatever others send meanwhile", async () => {
    const most = 7_000_000;
    const letters = ["a", "b", "c"];
    const sent = letters.map((letter, index) =>
      inEast(async (tx) => {
        await told(tx, []);
        const sleeping = queriesOf(tx).execute(sql`select pg_sleep(0.5)`);
        const later = pause(index * 100).then(() =>
          told(tx, [{ name: letter.repeat(most) }, { name: letter }]),
        );
        const [, names] = await Promise.all([sleeping, later]);
        return names.map((one) => [one.length, Array.from(new Set(one)).join("")]);
      }),
    );
    expect(await Promise.all(sent)).toEqual(
      letters.map((letter) => [
        [most, letter],
        [1, letter],
      ]),
    );
  });
});

describe("a statement that cannot be written in the middle of others", () => {
  const broken = [{ name: "kept?" }, { name: "x".repeat(20_000), id: "no" }];
  test.each([
    ["prepared before", things],
    [
      "to be prepared first",
      (rows: readonly Thing[]) => sql`${things(rows)} where ${String(rows.length)} = 'first'`,
    ],
  ])("leaves nothing of its transaction, %s, and the connection as it was", async (_, select) => {
    const before = await changes();
    await inEast((tx) => commitWith(tx, [bumpOfRegistries(["east"]), things([])]));
    const written = inEast((tx) =>
      commitWith(tx, [bumpOfRegistries(["east"]), select(broken), bumpOfRegistries(["east"])]),
    );
    await expect(written).rejects.toThrow("id is not a UUID: no");
    expect(await changes()).toBe(before + 1);
    expect(await inEast((tx) => told(tx, [{ name: "afterwards" }]))).toEqual(["afterwards"]);
  });
});
