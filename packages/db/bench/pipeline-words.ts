import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { withConnection } from "../src/connection.ts";
import { withDatabase } from "../src/database-url.ts";
import * as db from "../src/index.ts";
import { MIGRATIONS_FOLDER } from "../src/prepare/migration-folder.ts";
import { samplePipeline } from "../src/testing/sample-rows.ts";

/**
 * What the words that a pipeline is found by cost its insert and its four updates, beside a database that keeps none and one
 * that keeps them as 0021 did, in the same run and by turns: `node bench/pipeline-words.ts 40000` (pipelines in each).
 */
const ROWS = Number(process.argv[2] ?? 40_000);
const EACH = 500;
const TENANTS = 10;
const CHANGES = 4;

const indexOf0021 = readFileSync(join(MIGRATIONS_FOLDER, "0021_task_titles.sql"), "utf8")
  .split("--> statement-breakpoint")
  .find((statement) => statement.includes('CREATE INDEX "pipelines_by_words"'));
if (indexOf0021 === undefined) throw new Error("0021 makes no index of words any more");
const withoutWords = "drop trigger pipelines_keep_words on signalbox.pipelines";
const variants: Record<string, string[]> = {
  "no words (before 0021)": [withoutWords],
  "an index on pipelines (0021)": [withoutWords, indexOf0021],
  "pipeline_words (0024)": [],
};

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await db.startEmbeddedPostgres({ directory });
const { appUrl } = await db.prepareDatabase({ url: postgres.url, appVersion: "bench" });
const template = new URL(postgres.url).pathname.slice(1);

const asOwner = (url: string, statements: readonly string[]) =>
  withConnection(url, async (connection) => {
    for (const statement of statements) await connection.execute(sql.raw(statement));
  });

async function open(changes: readonly string[], index: number) {
  const name = `variant_${index}`;
  await asOwner(withDatabase(postgres.url, "postgres"), [`create database ${name} template "${template}"`]);
  await asOwner(withDatabase(postgres.url, name), changes);
  return db.openDatabase({ url: withDatabase(appUrl, name), applicationName: "bench", maxConnections: 1 });
}

const tenants = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
const state = JSON.stringify({ text: "what is said, and why. ".repeat(30) });
const rowOf = (row: number) => {
  const number = String(row).padStart(12, "0");
  return samplePipeline(`tenant-${row % TENANTS}`, `0199a7c0-1234-7000-8000-${number}`, {
    sourceTaskId: `TAS-${row}`,
    taskTitle: `Mend the ${row % 2 === 0 ? "signal" : "switch"} at station ${row}`,
    dueAt: Date.now() + 60_000,
    state,
  });
};

async function microsecondsEach(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return ((performance.now() - began) * 1_000) / EACH;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const opened: { name: string; database: db.Database; inserts: number[]; updates: number[] }[] = [];
try {
  for (const [index, [name, changes]] of Object.entries(variants).entries()) {
    opened.push({ name, database: await open(changes, index), inserts: [], updates: [] });
  }
  for (let row = 0; row < ROWS; row += EACH) {
    const rows = Array.from({ length: EACH }, (_, index) => rowOf(row + index));
    const first = (row / EACH) % opened.length;
    for (const { database, inserts, updates } of [...opened.slice(first), ...opened.slice(0, first)]) {
      inserts.push(
        await microsecondsEach(() => database.inTenants(tenants, (tx) => db.insertPipelines(tx, rows))),
      );
      for (let change = 1; change <= CHANGES; change += 1) {
        const changed = rows.map((own) =>
          Object.assign({}, own, {
            expectedRevision: change,
            revision: change + 1,
            status: change + 1,
            dueAt: change === CHANGES ? null : Number(own.dueAt) + change,
          }),
        );
        updates.push(
          await microsecondsEach(() => database.inTenants(tenants, (tx) => db.updatePipelines(tx, changed))),
        );
      }
    }
  }
  console.log(`${ROWS.toLocaleString("en")} pipelines, ${EACH} a statement, microseconds a row, means`);
  for (const { name, inserts, updates } of opened) {
    const [insert, update] = [mean(inserts), mean(updates)];
    console.log(
      `${name.padEnd(30)} insert ${insert.toFixed(1).padStart(5)}  update ${update.toFixed(1).padStart(5)}` +
        `  a life ${(insert + CHANGES * update).toFixed(0).padStart(4)}`,
    );
  }
} finally {
  for (const { database } of opened) await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
