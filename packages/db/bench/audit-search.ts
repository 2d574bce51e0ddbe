import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { withConnection } from "../src/connection.ts";
import { queriesOf } from "../src/database.ts";
import * as db from "../src/index.ts";

/**
 * What a page of the record costs beside a look-up of one of its entries by the primary key, in the same run:
 * `node bench/audit-search.ts 200000` (rows; 200,000 where nothing is said) over fifty tenants and twelve event types.
 */
const ROWS = Number(process.argv[2] ?? 200_000);
const TENANTS = 50;
const ROUNDS = 200;

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await db.startEmbeddedPostgres({ directory });
const { appUrl } = await db.prepareDatabase({ url: postgres.url, appVersion: "bench" });
const database = db.openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 1 });

const types = [1, 2, 10, 11, 20, 21, 30, 31, 40, 50, 51, 101];
const textOf = (row: number) =>
  `the stage was ${row % 2 === 0 ? "green" : "amber"} at ${row % 100 === 0 ? "junction" : "station"} ${row}`;
const entryOf = (row: number): db.BatchAuditEntry => {
  const pipelineId = `pipeline-${Math.floor(row / 17)}`;
  const actor = row % 17 === 0 ? { type: 3, id: `member-${row % 40}` } : { type: 1, id: "orchestrator" };
  return {
    tenantId: `tenant-${row % TENANTS}`,
    eventType: types[Math.floor(row / TENANTS) % types.length] ?? 1,
    actor,
    traceId: `trace-${pipelineId}`,
    pipelineId,
    packId: `pack-${row % 97}`,
    payload: JSON.stringify({
      actor,
      action: "bench.entry",
      rationale: textOf(row),
      snapshot: { text: "why. ".repeat(160) },
    }),
  };
};

async function fill(): Promise<void> {
  const tenants = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
  for (let row = 0; row < ROWS; row += 1000) {
    const entries = Array.from({ length: Math.min(1000, ROWS - row) }, (_, index) => entryOf(row + index));
    await database.inTenants(tenants, (tx) => db.appendAuditBatch(tx, entries));
  }
  await withConnection(postgres.url, (connection) =>
    connection.execute(sql`vacuum analyze signalbox.audit_entries`),
  );
}

const page = (filter: db.AuditFilter) =>
  database.inTenant("tenant-7", (tx) => db.listAuditEntries(tx, { ...filter, limit: 50 }));

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}

try {
  await fill();
  const { entries } = await page({ to: new Date(Date.now() - 1) });
  const [one] = entries.slice(-1);
  const byKey = () =>
    database.inTenant("tenant-7", (tx) =>
      queriesOf(tx).execute(sql`
        select * from signalbox.audit_entries
        where tenant_id = 'tenant-7' and recorded_at = ${one?.recordedAt}::timestamptz and audit_id = ${one?.auditId}::uuid`),
    );
  const own = entryOf(7 + TENANTS * 51);
  const searches: Readonly<Record<string, db.AuditFilter>> = {
    "no filter": {},
    "event type": { eventType: 40 },
    actor: { actor: `member-${(7 + TENANTS * 17) % 40}` },
    "actor: orchestrator": { actor: "orchestrator" },
    pack: { packId: own.packId },
    pipeline: { pipelineId: own.pipelineId },
    trace: { traceId: own.traceId },
    time: { to: new Date(Date.now() - 1) },
    "a rare word": { words: String(7 + TENANTS * 9) },
    "a word in 100": { words: "junction" },
    "a word in 2": { words: "amber" },
    "a common word": { words: "stage" },
    "two words": { words: "amber station" },
    "a word that is not there": { words: "lighthouse" },
  };
  await median(byKey);
  const reference = await median(byKey);
  console.log(`${ROWS.toLocaleString("en")} entries, ${TENANTS} tenants, medians of ${ROUNDS}`);
  console.log(`${"primary key".padEnd(26)} ${reference.toFixed(2).padStart(7)} ms`);
  for (const [name, filter] of Object.entries(searches)) {
    const { entries: found } = await page(filter);
    const took = await median(() => page(filter));
    console.log(
      `${name.padEnd(26)} ${took.toFixed(2).padStart(7)} ms  ${(took / reference).toFixed(1).padStart(6)} ×  ${found.length} rows`,
    );
  }
} finally {
  await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
