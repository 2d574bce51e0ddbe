import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface BreakerChange {
  tenantId: string;
  packId: string;
  taskType: string;
  /** The registry's change, which bumpRegistries gave for its tenant in this transaction. */
  change: number;
  state: string;
}

export async function saveBreakers(tx: BatchTransaction, rows: readonly BreakerChange[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = { tenantId: "text", packId: "text", taskType: "text", change: "bigint" } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.breakers as own (tenant_id, pack_id, task_type, change, state)
    select "tenantId", "packId", "taskType", change, state::json
    from ${recordset(rows, shape, ["state"])} order by "tenantId", "packId", "taskType"
    on conflict (tenant_id, pack_id, task_type) do update set change = excluded.change, state = excluded.state`);
}
