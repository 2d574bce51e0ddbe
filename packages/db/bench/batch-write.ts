import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as db from "../src/index.ts";
import {
  sampleDispatch,
  sampleOpenDispatch,
  samplePipeline,
  sampleStage,
} from "../src/testing/sample-rows.ts";

/**
 * What a batch of a hundred dispatches costs, all its tables, beside a bare insert of as many audit entries of the same
 * bytes: the floor that no orchestrator on Postgres goes below. Durable, and both in the same run.
 */
const PIPELINES = 100;
const ENTRIES_EACH = 5;
const TENANTS = 10;
const ROUNDS = 30;

const document = (bytes: number) => JSON.stringify({ text: "what is said, and why. ".repeat(bytes / 23) });
const state = document(700);
const envelope = document(1500);
const payload = document(960);

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await db.startEmbeddedPostgres({ directory });
const { appUrl } = await db.prepareDatabase({ url: postgres.url, appVersion: "bench" });
const database = db.openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 1 });

const tenants = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
const keysOf = (round: number) =>
  Array.from({ length: PIPELINES }, (_, index) => ({
    tenantId: `tenant-${index % TENANTS}`,
    pipelineId: `0199a7c0-${String(round).padStart(4, "0")}-7000-8000-${String(index).padStart(12, "0")}`,
  }));
const entriesOf = (keys: readonly db.PipelineKey[]) =>
  keys.flatMap(({ tenantId, pipelineId }) =>
    Array.from({ length: ENTRIES_EACH }, () => ({
      tenantId,
      eventType: 5,
      actor: { type: 1, id: "orchestrator" },
      traceId: `trace-${pipelineId}`,
      pipelineId,
      stageId: "stage-0",
      dispatchId: `${pipelineId}-d0.1`,
      attemptNumber: 1,
      packId: "painter",
      payload,
    })),
  );

async function submit(keys: readonly db.PipelineKey[]): Promise<void> {
  await database.inTenants(tenants, (tx) =>
    Promise.all([
      db.insertTasks(
        tx,
        keys.map((key) => Object.assign({ task: envelope, plan: envelope }, key)),
      ),
      db.insertPipelines(
        tx,
        keys.map(({ tenantId, pipelineId }) => samplePipeline(tenantId, pipelineId, { state })),
      ),
      db.insertStages(
        tx,
        keys.flatMap(({ tenantId, pipelineId }) =>
          [0, 1, 2].map((place) => sampleStage(tenantId, pipelineId, place, { state })),
        ),
      ),
    ]),
  );
}

/** Result in, transition, next dispatch out: stage 0 was open and stage 1 opens. */
async function advance(keys: readonly db.PipelineKey[], from: number): Promise<void> {
  await database.inTenants(tenants, async (tx) => {
    const { locked } = await db.lockPipelines(tx, keys);
    const changes = locked.map(({ tenantId, pipelineId, revision }) =>
      Object.assign(samplePipeline(tenantId, pipelineId, { state, revision: revision + ENTRIES_EACH }), {
        expectedRevision: revision,
      }),
    );
    const at = keys.map((key) => Object.assign({ stageOrder: from, attemptNumber: 1 }, key));
    await Promise.all([
      db.updatePipelines(tx, changes),
      db.updateStages(
        tx,
        keys.flatMap(({ tenantId, pipelineId }) =>
          [from, from + 1].map((place) => sampleStage(tenantId, pipelineId, place, { state })),
        ),
      ),
      db.insertResults(
        tx,
        at.map((key) =>
          Object.assign(
            { standing: "counted" as const, digest: new Uint8Array(32), result: envelope, spans: "[]" },
            key,
          ),
        ),
      ),
      db.deleteOpenDispatches(tx, at),
      db.insertDispatches(
        tx,
        keys.map(({ tenantId, pipelineId }) =>
          Object.assign(sampleDispatch(tenantId, pipelineId, from + 1), { envelope }),
        ),
      ),
      db.insertOpenDispatches(
        tx,
        keys.map(({ tenantId, pipelineId }) =>
          sampleOpenDispatch(tenantId, pipelineId, from + 1, { leaseMs: 60_000 }),
        ),
      ),
      db.insertEvents(
        tx,
        keys.flatMap((key) =>
          [0, 1].map(() => Object.assign({ kind: "stage", payload: `{"status":1}` }, key)),
        ),
      ),
      db.appendAuditBatch(tx, entriesOf(keys)),
    ]);
  });
}

const bare = (keys: readonly db.PipelineKey[]) =>
  database.inTenants(tenants, (tx) => db.appendAuditBatch(tx, entriesOf(keys)));
/** The same rows, a hundred a transaction. */
async function bareByHundreds(keys: readonly db.PipelineKey[]): Promise<void> {
  const entries = entriesOf(keys);
  for (let from = 0; from < entries.length; from += 100) {
    const part = entries.slice(from, from + 100);
    await database.inTenants(tenants, (tx) => db.appendAuditBatch(tx, part));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const took = { batch: [] as number[], bare: [] as number[], byHundreds: [] as number[] };
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    const keys = keysOf(round);
    await submit(keys);
    took.batch.push(await timed(() => advance(keys, 0)), await timed(() => advance(keys, 1)));
    took.bare.push(await timed(() => bare(keys)));
    took.byHundreds.push(await timed(() => bareByHundreds(keys)));
  }
} finally {
  await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const rows = PIPELINES * ENTRIES_EACH;
const perSecond = (ms: number) => Math.round((rows / ms) * 1000).toLocaleString("en");
const [batch, once, hundreds] = [took.batch, took.bare, took.byHundreds].map(median);
const line = (name: string, ms = Number.NaN) =>
  console.log(
    `${name.padEnd(46)} ${ms.toFixed(1).padStart(6)} ms  ${perSecond(ms).padStart(8)} audit rows/s`,
  );
line(`a batch of ${PIPELINES} dispatches, ${rows} entries, all tables`, batch);
line(`a bare insert of the same ${rows} entries`, once);
line("the same, 100 rows a transaction", hundreds);
console.log(
  `dispatches/s of one connection: ${Math.round((PIPELINES / (batch ?? 1)) * 1000).toLocaleString("en")}`,
);
console.log(`batch against bare, 100 rows a transaction: ${((hundreds ?? 0) / (batch ?? 1)).toFixed(2)} ×`);
console.log(`batch against bare, one insert:             ${((once ?? 0) / (batch ?? 1)).toFixed(2)} ×`);
