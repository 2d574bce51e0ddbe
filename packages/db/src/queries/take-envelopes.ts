import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { INSTANCE_KEY, type DispatchKey, type InstanceKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface EnvelopeRequest extends InstanceKey {
  max: number;
  leaseMs: number;
}

export interface TakenEnvelope extends DispatchKey, InstanceKey {
  envelope: string;
  leaseExpiresAt: number;
}

/**
 * Hands instances what was sent to them, the oldest first; nothing to one that was quarantined since (QUAR-7). It takes no pipeline's lock, and what another transaction
 * holds it leaves alone: that one is taking it too, or ends it.
 */
export async function takeEnvelopes(
  tx: BatchTransaction,
  requests: readonly EnvelopeRequest[],
): Promise<TakenEnvelope[]> {
  if (requests.length === 0) {
    return [];
  }
  const taken = await queriesOf(tx).execute<TakenEnvelope & Record<string, unknown>>(sql`
    with wanted as (
      select "tenantId", "packId", "instanceId", sum("max")::int as most, max("leaseMs") as lease_ms
      from ${recordset(requests, { ...INSTANCE_KEY, max: "int", leaseMs: "float8" })}
      where not exists (
        select from signalbox.instances one
        where one.tenant_id = given."tenantId" and one.pack_id = given."packId"
          and one.instance_id = given."instanceId" and one.quarantined_at is not null
      )
      group by "tenantId", "packId", "instanceId"
    ),
    next as materialized (
      select own.*, wanted.lease_ms from wanted cross join lateral (
        select ready.tenant_id, ready.pipeline_id, ready.stage_order, ready.attempt_number
        from signalbox.open_dispatches ready
        where ready.tenant_id = wanted."tenantId" and ready.pack_id = wanted."packId"
          and ready.instance_id = wanted."instanceId" and ready.handed_at is null
        order by ready.sent_at limit wanted.most
        for update skip locked
      ) own
    )
    update signalbox.open_dispatches own
    set handed_at = now(), lease_expires_at = now() + next.lease_ms * interval '1 millisecond',
      due_at = least(own.timeout_at, now() + next.lease_ms * interval '1 millisecond')
    from next
    join signalbox.dispatches sent
      on sent.tenant_id = next.tenant_id and sent.pipeline_id = next.pipeline_id
      and sent.stage_order = next.stage_order and sent.attempt_number = next.attempt_number
    where own.tenant_id = next.tenant_id and own.pipeline_id = next.pipeline_id
      and own.stage_order = next.stage_order and own.attempt_number = next.attempt_number
    returning own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.pack_id as "packId", own.instance_id as "instanceId", sent.envelope,
      ${epochMs(sql`own.lease_expires_at`)} as "leaseExpiresAt"`);
  return Array.from(taken);
}
