import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, queriesOf, type Database } from "./database.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  database = openDatabase({ url: made.appUrl, applicationName: "short-lived", maxConnections: 2 });
});
afterAll(async () => {
  await database.close();
  await made.dispose();
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;
function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space");
  if (old === undefined) throw new Error("V8 names its spaces otherwise");
  return old.space_used_size;
}

const TIMES = 40;
const EACH = 25;
/** Some 40 KB, as a report's events are once they are judged. */
const manyThings = () => Array.from({ length: 400 }, (_, index) => ({ index, held: [index] }));

/** What becomes old per transaction, where the young are collected many times and the old never. */
async function agedBy(transaction: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 100; warm += 1) await transaction();
  // Whatever is under way now grows old, and is what later ones could be held by.
  const underWay = [transaction(), transaction()];
  await Promise.resolve();
  collect();
  await Promise.all(underWay);
  const before = oldBytes();
  for (let time = 0; time < TIMES; time += 1) {
    for (let each = 0; each < EACH; each += 1) await Promise.all([transaction(), transaction()]);
    collect({ type: "minor" });
  }
  return (oldBytes() - before) / (2 * TIMES * EACH);
}

/**
 * V8 puts a function that is written where a property is set, and a getter of an object's own, among its old objects at once.
 * One of these in the driver kept all that a transaction knew, and the next one's, until the old were collected: a seventh of
 * what a process could take of events.
 */
test.each([
  { name: "many tenants'", options: { repeatable: true } },
  { name: "one that is begun before its first statement", options: {} },
])("what a transaction held goes with the young: $name", { timeout: 60_000 }, async ({ options }) => {
  const aged = await agedBy(async () => {
    const things = manyThings();
    await database.inTenants(
      ["east"],
      async (tx) => {
        await queriesOf(tx).execute(sql`select ${things.length}::int`);
      },
      options,
    );
    return things;
  });
  expect(aged).toBeLessThan(600);
});
