import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface WaitingCount {
  tenantId: string;
  taskType: string;
  waiting: number;
}

/** How many stages of the transaction's tenants stand in line, by task type; a line that is empty has no row. */
export async function countWaitingStages(
  tx: BatchTransaction,
  tenantIds: readonly string[] = tx.tenantIds,
): Promise<WaitingCount[]> {
  const tenants = tenantIds.map((tenantId) => ({ tenantId }));
  const counted = await queriesOf(tx).execute<WaitingCount & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.task_type as "taskType", count(*)::int as waiting
    from ${recordset(tenants, { tenantId: "text" })}
    join signalbox.stages own on own.tenant_id = given."tenantId" and own.waiting_since is not null
    group by own.tenant_id, own.task_type`);
  return Array.from(counted);
}
