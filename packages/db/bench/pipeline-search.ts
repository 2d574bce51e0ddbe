import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { withConnection } from "../src/connection.ts";
import * as db from "../src/index.ts";
import { samplePipeline } from "../src/testing/sample-rows.ts";

/**
 * What a page of pipelines found by words costs beside a look-up of one of them by its key, in the same run:
 * `node bench/pipeline-search.ts 200000` (rows; 100,000 where nothing is said) over ten tenants.
 */
const ROWS = Number(process.argv[2] ?? 100_000);
/** So many stand in the index's list of those that are still to be sorted in, as on a busy installation. */
const NEWEST = 5_000;
const TENANTS = 10;
const ROUNDS = 100;

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await db.startEmbeddedPostgres({ directory });
const { appUrl } = await db.prepareDatabase({ url: postgres.url, appVersion: "bench" });
const database = db.openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 1 });

const tenants = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
const rowOf = (row: number) =>
  samplePipeline(`tenant-${row % TENANTS}`, `pipeline-${row}`, {
    sourceTaskId: `TAS-${row}`,
    taskTitle: `Mend the ${row % 2 === 0 ? "signal" : "switch"} ${placeOf(row)} ${row}`,
  });
const placeOf = (row: number) => (row % 5_000 === 7 ? "junction" : row % 500 === 7 ? "crossing" : "station");

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
}

const page = (text: string) => () =>
  database.inTenant("tenant-7", (tx) => db.listPipelines(tx, { limit: 50, text }));

async function fill(from: number, to: number): Promise<void> {
  for (let row = from; row < to; row += 500) {
    const rows = Array.from({ length: Math.min(500, to - row) }, (_, index) => rowOf(row + index));
    await database.inTenants(tenants, (tx) => db.insertPipelines(tx, rows));
  }
}
const asOwner = (statement: string) =>
  withConnection(postgres.url, (connection) => connection.execute(sql.raw(statement)));

try {
  await fill(0, ROWS - NEWEST);
  await asOwner("vacuum analyze signalbox.pipelines, signalbox.pipeline_words");
  await fill(ROWS - NEWEST, ROWS);
  console.log(`${ROWS.toLocaleString("en")} pipelines, ${TENANTS} tenants, medians of ${ROUNDS}`);
  const key = await median(() => database.inTenant("tenant-7", (tx) => db.findPipeline(tx, "pipeline-7")));
  console.log(`a look-up by key: ${key.toFixed(2)} ms`);
  const searches = {
    "a task's id": "TAS-7",
    "its title's end": "station 4007",
    rare: "junction",
    "of each fiftieth": "crossing",
    common: "switch",
    none: "nosuchword",
  };
  for (const [name, text] of Object.entries(searches)) {
    const took = await median(page(text));
    console.log(`${name}: ${took.toFixed(2)} ms, ${(took / key).toFixed(1)} x`);
  }
} finally {
  await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
