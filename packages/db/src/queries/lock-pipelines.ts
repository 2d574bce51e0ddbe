import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface LockedPipeline extends PipelineKey {
  revision: number;
}

const WAITING = sql`for update of own`;
const SKIPPING = sql`for update of own skip locked`;

/**
 * Takes the pipelines' locks, always in the same order, so that two batches wait for each other and never in a circle.
 * The time is the database's, read after the last lock: it is what everything in the batch is decided at. It comes
 * also where nothing was locked, and with it when the transaction began, which its rows say of themselves.
 */
export async function lockPipelines(
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<{ now: number; began: number; locked: LockedPipeline[] }> {
  const rows = await queriesOf(tx).execute<{
    now: number;
    began: number;
    tenantId: string | null;
    pipelineId: string;
    revision: number;
  }>(sql`
    with locked as (
      select own.tenant_id, own.pipeline_id, own.revision
      from ${recordset(keys, PIPELINE_KEY)}
      join signalbox.pipelines own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      order by own.tenant_id, own.pipeline_id
      ${skipLocked ? SKIPPING : WAITING}
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      (extract(epoch from now()::timestamptz(3)) * 1000)::float8 as began,
      locked.tenant_id as "tenantId", locked.pipeline_id as "pipelineId", locked.revision
    from (select) always left join locked on true`);
  return {
    now: Math.max(...rows.map((row) => row.now)),
    began: Math.max(...rows.map((row) => row.began)),
    locked: rows.flatMap(({ tenantId, pipelineId, revision }) =>
      tenantId === null ? [] : [{ tenantId, pipelineId, revision }],
    ),
  };
}
