import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";

/** Raises the count of this tenant's registry and holds it until the commit; gives the change that it made. */
export async function bumpRegistry(tx: TenantTransaction): Promise<number> {
  const [row] = await queriesOf(tx).execute(sql`
    insert into signalbox.registries as known (tenant_id, change) values (${tx.tenantId}, 1)
    on conflict (tenant_id) do update set change = known.change + 1
    returning change`);
  return Number(row?.["change"]);
}
