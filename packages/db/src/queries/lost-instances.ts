import { sql } from "drizzle-orm";
import { connectionOf, queriesOf, type BatchTransaction, type Database } from "../database.ts";
import { INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

/** Instances whose lease ended and of which nobody was told, whosever they are. */
export async function lostInstances(database: Database, total: number): Promise<InstanceKey[]> {
  const rows = await connectionOf(database).read(sql`select * from signalbox.lost_instances(${total})`);
  return rows.map((row) => ({
    tenantId: String(row["tenant_id"]),
    packId: String(row["pack_id"]),
    instanceId: String(row["instance_id"]),
  }));
}

/** Marks them as told of, and gives those of which it has to be told now: not who reports again, nor another node's. */
export async function markLost(
  tx: BatchTransaction,
  instances: readonly InstanceKey[],
): Promise<InstanceKey[]> {
  if (instances.length === 0) {
    return [];
  }
  const marked = await queriesOf(tx).execute<InstanceKey & Record<string, unknown>>(sql`
    update signalbox.instances own set told_lost = true from (
      select held.tenant_id, held.pack_id, held.instance_id
      from ${recordset(instances, INSTANCE_KEY)}
      join signalbox.instances held on held.tenant_id = given."tenantId" and held.pack_id = given."packId"
        and held.instance_id = given."instanceId"
      where not held.told_lost and held.lease_expires_at <= now()
      order by held.tenant_id, held.pack_id, held.instance_id for update of held skip locked
    ) as lost
    where own.tenant_id = lost.tenant_id and own.pack_id = lost.pack_id and own.instance_id = lost.instance_id
    returning own.tenant_id as "tenantId", own.pack_id as "packId", own.instance_id as "instanceId"`);
  return Array.from(marked);
}
