import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import type { ResultStanding } from "../schema/results.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface NewResult extends DispatchKey {
  standing: ResultStanding;
  /** SHA-256 of what makes two results the same. */
  digest: Uint8Array;
  result: string;
  spans: string;
}

/** The first result of a dispatch is kept, and another changes nothing (D6). */
export async function insertResults(tx: BatchTransaction, rows: readonly NewResult[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.results
      (tenant_id, pipeline_id, stage_order, attempt_number, standing, digest, result, spans)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", standing, digest, result, spans
    from ${recordset(rows, { ...DISPATCH_KEY, standing: "text", digest: "bytea" }, ["result", "spans"])}
    on conflict do nothing`);
}

export interface FoundResult extends DispatchKey {
  standing: ResultStanding;
  digest: Uint8Array;
  receivedAt: number;
}

/** What was already reported of these dispatches, without the reports themselves. */
export async function findResults(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<FoundResult[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<FoundResult & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.standing, own.digest, ${epochMs(sql`own.received_at`)} as "receivedAt"
    from ${recordset(keys, DISPATCH_KEY)}
    join signalbox.results own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"`);
  return Array.from(found);
}
