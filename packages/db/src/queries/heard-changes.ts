import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface HeardChange {
  tenantId: string;
  /** 0 for a tenant without instances. */
  change: number;
}

/** The newest change of an instance of each tenant, from the end of `instances_by_change`: a heartbeat is one. */
export async function readHeardChanges(
  tx: BatchTransaction,
  tenantIds: readonly string[],
): Promise<HeardChange[]> {
  if (tenantIds.length === 0) {
    return [];
  }
  const rows = tenantIds.map((tenantId) => ({ tenantId }));
  const found = await queriesOf(tx).execute<HeardChange & Record<string, unknown>>(sql`
    select "tenantId",
      coalesce((select max(change) from signalbox.instances own where own.tenant_id = "tenantId"), 0)::float8 as change
    from ${recordset(rows, { tenantId: "text" })}`);
  return Array.from(found);
}
