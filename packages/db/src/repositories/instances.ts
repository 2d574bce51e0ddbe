import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { instanceColumns, type InstanceRow } from "../queries/load-registry.ts";

export type InstanceCursor = Pick<InstanceRow, "packId" | "instanceId">;

/** By name; with a pack, its instances. */
export async function listInstances(
  tx: TenantTransaction,
  page: { limit: number; after?: InstanceCursor | undefined; packId?: string | undefined },
): Promise<{ instances: InstanceRow[]; next: InstanceCursor | undefined }> {
  const { limit, after, packId } = page;
  const ofPack = packId === undefined ? sql`` : sql`and pack_id = ${packId}`;
  const later = after ? sql`and (pack_id, instance_id) > (${after.packId}, ${after.instanceId})` : sql``;
  const found = await queriesOf(tx).execute<InstanceRow & Record<string, unknown>>(sql`
    select ${instanceColumns} from signalbox.instances where tenant_id = ${tx.tenantId} ${ofPack} ${later}
    order by pack_id, instance_id limit ${limit + 1}`);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    instances: shown,
    next: found.length > limit && last ? { packId: last.packId, instanceId: last.instanceId } : undefined,
  };
}

export async function findInstance(
  tx: TenantTransaction,
  { packId, instanceId }: InstanceCursor,
): Promise<InstanceRow | undefined> {
  const [found] = await queriesOf(tx).execute<InstanceRow & Record<string, unknown>>(sql`
    select ${instanceColumns} from signalbox.instances
    where tenant_id = ${tx.tenantId} and pack_id = ${packId} and instance_id = ${instanceId}`);
  return found;
}
