import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  insertDispatches,
  insertOpenDispatches,
  insertPipelines,
  insertStages,
  openDatabase,
  prepareDatabase,
  startEmbeddedPostgres,
} from "@signalbox/db";
import { sampleDispatch, sampleOpenDispatch, samplePipeline, sampleStage } from "@signalbox/db/testing";
import { createDocumentCache } from "../src/documents/document-cache.ts";
import { groupCommit } from "../src/registry/group-commit.ts";
import { pulse } from "../src/testing/saop-reports.ts";
import { type EventReport, eventReport } from "../src/saop/event-desk.ts";
import { writeEvents } from "../src/saop/write-events.ts";

/**
 * What it is worth that reports which arrive together commit together: sixty-four agents that report a line at a time,
 * each waiting for its answer, beside the same with a commit for each report. Durable, and both in the same run.
 */
const AGENTS = 64;
const REPORTS_EACH = 40;
const ROUNDS = 4;
const tenantId = "default";

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory });
const { appUrl } = await prepareDatabase({ url: postgres.url, appVersion: "bench" });
const database = openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 4 });
const engine = { database, documents: createDocumentCache() };

const pipelineIds = Array.from(
  { length: AGENTS },
  (_, index) => `0199a7c0-0000-7000-8000-${String(index).padStart(12, "0")}`,
);
await database.inTenant(tenantId, (tx) =>
  Promise.all([
    insertPipelines(
      tx,
      pipelineIds.map((id) => samplePipeline(tenantId, id)),
    ),
    insertStages(
      tx,
      pipelineIds.map((id) => sampleStage(tenantId, id)),
    ),
    insertDispatches(
      tx,
      pipelineIds.map((id) => sampleDispatch(tenantId, id)),
    ),
    insertOpenDispatches(
      tx,
      pipelineIds.map((id) => sampleOpenDispatch(tenantId, id, 0, { leaseMs: 60_000 })),
    ),
  ]),
);

const caller = {
  tenantId,
  role: "agent",
  actor: { type: "agent", id: "painter" },
  credential: "key",
} as const satisfies Partial<EventReport["caller"]>;

function reportOf(pipelineId: string): EventReport {
  const place = { pipelineId, stageOrder: 0, attemptNumber: 1 };
  return eventReport({ caller, unconfirmedKey: undefined, dispatchId: `${pipelineId}-d0.1`, place }, [
    pulse("12 passed, 0 failed, 0 skipped"),
  ]);
}

/** Reports a second, each agent sending its next one when the last was answered. */
async function rateOf(most: number): Promise<number> {
  const writer = groupCommit({
    write: (reports: readonly EventReport[]) => writeEvents(engine, reports),
    most,
    bound: 10_000,
  });
  const work = async (pipelineId: string): Promise<void> => {
    for (let count = 0; count < REPORTS_EACH; count += 1) {
      const outcome = await writer.submit(reportOf(pipelineId));
      if (!outcome.ok) throw outcome.error;
    }
  };
  const begun = performance.now();
  await Promise.all(pipelineIds.map(work));
  return (AGENTS * REPORTS_EACH * 1000) / (performance.now() - begun);
}

const best = { grouped: 0, single: 0 };
for (let round = 0; round < ROUNDS; round += 1) {
  best.single = Math.max(best.single, await rateOf(1));
  best.grouped = Math.max(best.grouped, await rateOf(100));
}
await database.close();
await postgres.stop();
rmSync(directory, { recursive: true, force: true });

const ratio = best.grouped / best.single;
process.stdout.write(
  `event reports: ${Math.round(best.grouped)}/s committed in groups, ${Math.round(best.single)}/s one by one, ${ratio.toFixed(1)} times (wanted: 8)\n`,
);
if (ratio < 8) process.exitCode = 1;
