import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

/**
 * Deletes instances whose lease ended long ago, at most `limit`; those that are quarantined or have dispatches stay, and
 * so do those that somebody holds. Gives how many went.
 */
export async function forgetInstances(
  tx: BatchTransaction,
  tenantIds: readonly string[],
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<number> {
  if (tenantIds.length === 0) {
    return 0;
  }
  const rows = tenantIds.map((tenantId) => ({ tenantId }));
  const forgotten = await queriesOf(tx).execute(sql`
    delete from signalbox.instances own using (
      select gone.tenant_id, gone.pack_id, gone.instance_id
      from ${recordset(rows, { tenantId: "text" })} join signalbox.instances gone on gone.tenant_id = given."tenantId"
      where gone.quarantined_at is null
        and gone.lease_expires_at <= now() - ${afterMs}::float8 * interval '1 millisecond'
        and not exists (
          select from signalbox.open_dispatches open
          where open.tenant_id = gone.tenant_id and open.pack_id = gone.pack_id and open.instance_id = gone.instance_id)
      order by gone.tenant_id, gone.pack_id, gone.instance_id limit ${limit}
      for update of gone skip locked
    ) as gone
    where own.tenant_id = gone.tenant_id and own.pack_id = gone.pack_id and own.instance_id = gone.instance_id
    returning own.instance_id`);
  return forgotten.length;
}
