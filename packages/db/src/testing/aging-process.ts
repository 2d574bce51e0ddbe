/**
 * A process of its own, since nobody else's objects may be young in it: run with a database's URL, it says what becomes old per
 * transaction where the young are collected many times and the old never.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { openDatabase, queriesOf } from "../database.ts";

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

const [url = "", repeatable] = process.argv.slice(2);
const database = openDatabase({ url, applicationName: "aging", maxConnections: 2 });
const aged = await agedBy(async () => {
  const things = manyThings();
  await database.inTenants(
    ["east"],
    async (tx) => {
      await queriesOf(tx).execute(sql`select ${things.length}::int`);
    },
    { repeatable: repeatable === "repeatable" },
  );
  return things;
});
await database.close();
process.stdout.write(String(aged));
