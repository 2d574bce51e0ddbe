import { sql } from "drizzle-orm";
import {
  connectionOf,
  queriesOf,
  type BatchTransaction,
  type Database,
  type TenantTransaction,
} from "../database.ts";
import { recordset } from "./recordset.ts";

export interface StoredFiredAlert {
  alert: string;
  subject: string;
  packId: string | null;
  detail: string;
}

/** Tenants at whom nobody looked for so long, and of whom something may have begun or ended to hold; the longest first. */
export async function dueAlertWatches(
  database: Database,
  { everyMs, healthy, total }: { everyMs: number; healthy: number; total: number },
): Promise<string[]> {
  const rows = await connectionOf(database).read(
    sql`select * from signalbox.due_alert_watches(${everyMs}, ${healthy}, ${total})`,
  );
  return rows.map((row) => String(row["tenant_id"]));
}

/** Says of the batch's tenants that somebody looks now, and gives those at whom no other node began to look meanwhile. */
export async function claimAlertWatches(tx: BatchTransaction, everyMs: number): Promise<string[]> {
  const rows = tx.tenantIds.toSorted().map((tenantId) => ({ tenantId }));
  const claimed = await queriesOf(tx).execute<{ tenantId: string }>(sql`
    insert into signalbox.alert_watches as own (tenant_id)
    select "tenantId" from ${recordset(rows, { tenantId: "text" })}
    on conflict (tenant_id) do update set looked_at = now()
      where own.looked_at <= now() - ${everyMs}::float8 * interval '1 millisecond'
    returning own.tenant_id as "tenantId"`);
  return claimed.map(({ tenantId }) => tenantId);
}

/** Keeps every other node from writing down what began or ended to hold, until the commit. */
export async function lockAlertWatch(tx: TenantTransaction): Promise<void> {
  await queriesOf(tx).execute(
    sql`select from signalbox.alert_watches where tenant_id = ${tx.tenantId} for update`,
  );
}

export async function listFiredAlerts(tx: TenantTransaction): Promise<StoredFiredAlert[]> {
  const found = await queriesOf(tx).execute<StoredFiredAlert & Record<string, unknown>>(sql`
    select alert, subject, pack_id as "packId", detail from signalbox.fired_alerts
    where tenant_id = ${tx.tenantId} order by alert, subject`);
  return Array.from(found);
}

export async function insertFiredAlerts(
  tx: TenantTransaction,
  rows: readonly StoredFiredAlert[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = { alert: "text", subject: "text", packId: "text", detail: "text" } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.fired_alerts (tenant_id, alert, subject, pack_id, detail)
    select ${tx.tenantId}, alert, subject, "packId", detail from ${recordset(rows, shape)}`);
}

export async function deleteFiredAlerts(
  tx: TenantTransaction,
  rows: readonly Pick<StoredFiredAlert, "alert" | "subject">[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    delete from signalbox.fired_alerts own using ${recordset(rows, { alert: "text", subject: "text" })}
    where own.tenant_id = ${tx.tenantId} and own.alert = given.alert and own.subject = given.subject`);
}
