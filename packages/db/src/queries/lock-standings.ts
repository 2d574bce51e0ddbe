import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import type { InstanceRow } from "./load-registry.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface LockedStanding
  extends
    InstanceKey,
    Pick<
      InstanceRow,
      | "health"
      | "consecutiveInvalid"
      | "lastError"
      | "quarantinedAt"
      | "quarantinedByResults"
      | "probationSince"
      | "drainingSince"
      | "drainingReason"
    > {}

/** Holds these instances until the commit, in the order of their keys; one that is not known is left out. */
export async function lockStandings(
  tx: BatchTransaction,
  instances: readonly InstanceKey[],
): Promise<LockedStanding[]> {
  if (instances.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<LockedStanding & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pack_id as "packId", own.instance_id as "instanceId", own.health,
      own.consecutive_invalid as "consecutiveInvalid", own.last_error as "lastError",
      ${epochMs(sql`own.quarantined_at`)} as "quarantinedAt",
      own.quarantined_by_results as "quarantinedByResults", ${epochMs(sql`own.probation_since`)} as "probationSince",
      ${epochMs(sql`case when own.draining then coalesce(own.draining_since, own.heard_at) end`)} as "drainingSince",
      own.draining_reason as "drainingReason"
    from signalbox.instances own
    where (own.tenant_id, own.pack_id, own.instance_id) in
      (select "tenantId", "packId", "instanceId" from ${recordset(instances, INSTANCE_KEY)})
    order by own.tenant_id, own.pack_id, own.instance_id for update`);
  return Array.from(found);
}
