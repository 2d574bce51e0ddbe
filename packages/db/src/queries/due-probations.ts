import { sql } from "drizzle-orm";
import { connectionOf, queriesOf, type BatchTransaction, type Database } from "../database.ts";
import type { InstanceKey } from "./keys.ts";

/** Tenants with instances that their own results quarantined, by id and from behind `after` on. */
export async function tenantsWithQuarantine(
  database: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await connectionOf(database).read(
    sql`select * from signalbox.tenants_with_quarantine(${after}, ${limit})`,
  );
  return rows.map((row) => String(row["tenant_id"]));
}

/** Those of one tenant that were quarantined so long ago, by the database's clock, the longest first; a person's are left out. */
export async function dueProbations(
  tx: BatchTransaction,
  tenantId: string,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<InstanceKey[]> {
  const found = await queriesOf(tx).execute<InstanceKey & Record<string, unknown>>(sql`
    select tenant_id as "tenantId", pack_id as "packId", instance_id as "instanceId" from signalbox.instances
    where tenant_id = ${tenantId} and quarantined_at <= now() - ${afterMs}::float8 * interval '1 millisecond'
      and quarantined_by_results
    order by quarantined_at, pack_id, instance_id limit ${limit}`);
  return Array.from(found);
}
