import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DatabaseError } from "../database-error.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface LockedPipeline extends PipelineKey {
  revision: number;
}

const WAITING = sql`for update of own`;
const SKIPPING = sql`for update of own skip locked`;

/**
 * Who last changed it has a later number than this transaction: readers, whose order is that of numbers (ADR 0022), would be
 * told what comes now before what it follows. Compared only while the row is young, since numbers come round.
 */
const OVERTAKEN = sql`locked.updated_at > now() - interval '1 hour' and age(locked.written) < 0`;

/**
 * Takes the pipelines' locks, always in the same order, so that two batches wait for each other and never in a circle.
 * The time is the database's, read after the last lock: it is what everything in the batch is decided at. It comes
 * also where nothing was locked, and with it when the transaction began, which its rows say of themselves.
 *
 * A transaction has its number from its first lock on, and may wait for the next one while others commit. Where one of them
 * changed what it then gets, it throws OVERTAKEN, and is to be begun anew: nothing of it has happened yet.
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
    overtaken: boolean | null;
  }>(sql`
    with locked as (
      select own.tenant_id, own.pipeline_id, own.revision, own.updated_at, own.xmin as written
      from ${recordset(keys, PIPELINE_KEY)}
      join signalbox.pipelines own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      order by own.tenant_id, own.pipeline_id
      ${skipLocked ? SKIPPING : WAITING}
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      (extract(epoch from now()::timestamptz(3)) * 1000)::float8 as began,
      locked.tenant_id as "tenantId", locked.pipeline_id as "pipelineId", locked.revision, ${OVERTAKEN} as overtaken
    from (select) always left join locked on true`);
  if (rows.some(({ overtaken }) => overtaken === true)) {
    throw new DatabaseError("OVERTAKEN", "A transaction that began later has changed one of its pipelines.");
  }
  return {
    now: Math.max(...rows.map((row) => row.now)),
    began: Math.max(...rows.map((row) => row.began)),
    locked: rows.flatMap(({ tenantId, pipelineId, revision }) =>
      tenantId === null ? [] : [{ tenantId, pipelineId, revision }],
    ),
  };
}
