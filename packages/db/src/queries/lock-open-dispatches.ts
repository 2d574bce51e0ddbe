import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface OpenDispatch extends DispatchKey {
  handedAt: number | null;
  leaseExpiresAt: number | null;
  timeoutAt: number | null;
  dueAt: number | null;
}

/**
 * What is known of dispatches that are about to be called off, under their locks: a lease that is renewed at the same
 * moment is either seen here, or finds its dispatch gone. Their pipelines are locked already.
 */
export async function lockOpenDispatches(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<OpenDispatch[]> {
  if (keys.length === 0) {
    return [];
  }
  const locked = await queriesOf(tx).execute<OpenDispatch & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", ${epochMs(sql`own.handed_at`)} as "handedAt",
      ${epochMs(sql`own.lease_expires_at`)} as "leaseExpiresAt", ${epochMs(sql`own.timeout_at`)} as "timeoutAt",
      ${epochMs(sql`own.due_at`)} as "dueAt"
    from ${recordset(keys, DISPATCH_KEY)}
    join signalbox.open_dispatches own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
    order by own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number
    for update of own`);
  return Array.from(locked);
}
