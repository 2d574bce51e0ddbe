import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface ReportedDispatch extends DispatchKey {
  stageId: string;
  packId: string;
  open: boolean;
  countedAt: number | null;
  /** The attempt that the stage has now. */
  stageAttempt: number;
  /** The latest turn that the attempt has shown; 0 before the first. */
  latestTurn: number;
  /** The latest of which there is a stream; null before the first. */
  latestStream: number | null;
  now: number;
  /** When this transaction began, as `received_at` keeps it. */
  began: number;
}

/** What there is to know of a dispatch that somebody reports on. One that was never sent is not among the answers. */
export async function findReportedDispatches(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<ReportedDispatch[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<ReportedDispatch & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.stage_id as "stageId", own.pack_id as "packId",
      held.tenant_id is not null as open, ${epochMs(sql`counted.received_at`)} as "countedAt",
      stage.attempt_number as "stageAttempt", greatest(streamed.turn_index, told.turn_index, 0) as "latestTurn",
      streamed.turn_index as "latestStream",
      floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      ${epochMs(sql`now()::timestamptz(3)`)} as began
    from ${recordset(keys, DISPATCH_KEY)}
    join signalbox.dispatches own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
    join signalbox.stages stage
      on stage.tenant_id = given."tenantId" and stage.pipeline_id = given."pipelineId"
      and stage.stage_order = given."stageOrder"
    left join signalbox.open_dispatches held
      on held.tenant_id = given."tenantId" and held.pipeline_id = given."pipelineId"
      and held.stage_order = given."stageOrder" and held.attempt_number = given."attemptNumber"
    left join signalbox.results counted
      on counted.tenant_id = given."tenantId" and counted.pipeline_id = given."pipelineId"
      and counted.stage_order = given."stageOrder" and counted.attempt_number = given."attemptNumber"
      and counted.standing = 'counted'
    left join lateral (
      select turn_index from signalbox.turn_streams
      where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
        and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
      order by turn_index desc limit 1
    ) streamed on true
    left join lateral (
      select turn_index from signalbox.turns
      where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
        and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
      order by turn_index desc limit 1
    ) told on true`);
  return Array.from(found);
}
