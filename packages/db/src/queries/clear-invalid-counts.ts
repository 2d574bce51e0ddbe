import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

/**
 * D7: a valid result ends a row of invalid ones. Touches only instances that have such a row; of one that is quarantined
 * the row is the reason, and stays for the person who decides on it. Of one on probation it is decided under its lock, and told.
 */
export async function clearInvalidCounts(
  tx: BatchTransaction,
  instances: readonly InstanceKey[],
): Promise<void> {
  if (instances.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    update signalbox.instances own set consecutive_invalid = 0, last_error = ''
    from (select distinct "tenantId", "packId", "instanceId" from ${recordset(instances, INSTANCE_KEY)}) as sound
    where own.tenant_id = sound."tenantId" and own.pack_id = sound."packId" and own.instance_id = sound."instanceId"
      and own.consecutive_invalid > 0 and own.quarantined_at is null and own.probation_since is null`);
}
