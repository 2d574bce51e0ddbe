import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

/**
 * Deletes instances whose lease ended long ago, at most `limit`; those that are quarantined or have dispatches stay, and
 * so do those that somebody holds. What they were to be told goes with them. Gives how many went.
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
    with forgotten as (
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
      returning own.tenant_id, own.pack_id, own.instance_id
    ),
    untold as (
      delete from signalbox.cancel_signals signal using forgotten
      where signal.tenant_id = forgotten.tenant_id and signal.pack_id = forgotten.pack_id
        and signal.instance_id = forgotten.instance_id
    )
    select instance_id from forgotten`);
  return forgotten.length;
}
