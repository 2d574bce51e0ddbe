import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface RenewedLease extends DispatchKey {
  leaseExpiresAt: number;
}

/** Gives those it renewed. A lease that ended stays ended, also while nobody has taken the dispatch away yet (D8). */
export async function renewLeases(
  tx: BatchTransaction,
  requests: readonly (DispatchKey & { leaseMs: number })[],
): Promise<RenewedLease[]> {
  if (requests.length === 0) {
    return [];
  }
  const renewed = await queriesOf(tx).execute<RenewedLease & Record<string, unknown>>(sql`
    with held as materialized (
      select own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number, given."leaseMs"
      from ${recordset(requests, { ...DISPATCH_KEY, leaseMs: "float8" })}
      join signalbox.open_dispatches own
        on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
        and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
      where own.lease_expires_at > now()
      order by own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number
      for update of own
    )
    update signalbox.open_dispatches own
    set lease_expires_at = now() + held."leaseMs" * interval '1 millisecond',
      due_at = least(own.timeout_at, now() + held."leaseMs" * interval '1 millisecond')
    from held
    where own.tenant_id = held.tenant_id and own.pipeline_id = held.pipeline_id
      and own.stage_order = held.stage_order and own.attempt_number = held.attempt_number
    returning own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", ${epochMs(sql`own.lease_expires_at`)} as "leaseExpiresAt"`);
  return Array.from(renewed);
}
