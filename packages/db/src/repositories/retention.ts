import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import {
  type BatchTransaction,
  connectionOf,
  type Database,
  queriesOf,
  type TenantTransaction,
} from "../database.ts";
import { insertRow } from "../insert-row.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { auditHolds } from "../schema/audit-holds.ts";
import { auditRetention } from "../schema/audit-retention.ts";

export type AuditRetention = Omit<typeof auditRetention.$inferSelect, "tenantId">;
export type AuditHold = Omit<typeof auditHolds.$inferSelect, "tenantId">;

/** A month of the record, as "2026-11", that every tenant with an entry in it lets go. */
export type RemovableMonth = { readonly month: string; readonly tenantIds: readonly string[] };

export async function findRetention(tx: TenantTransaction): Promise<AuditRetention | undefined> {
  const { tenantId, ...columns } = auditRetention;
  const [found] = await queriesOf(tx)
    .select({
      keepMonths: columns.keepMonths,
      earlierMonths: columns.earlierMonths,
      takesEffectAt: columns.takesEffectAt,
      changedBy: columns.changedBy,
      changedAt: columns.changedAt,
    })
    .from(auditRetention)
    .where(eq(tenantId, tx.tenantId));
  return found;
}

/** From when it holds, and what held before, is the database's to say. */
export async function saveRetention(
  tx: TenantTransaction,
  said: { keepMonths: number | null; changedBy: string },
): Promise<void> {
  await queriesOf(tx).execute(sql`
    ${insertRow(auditRetention, { tenantId: tx.tenantId, ...said })}
    on conflict (tenant_id) do update set keep_months = excluded.keep_months, changed_by = excluded.changed_by`);
}

const wholeHold = {
  holdId: auditHolds.holdId,
  reason: auditHolds.reason,
  placedBy: auditHolds.placedBy,
  placedAt: auditHolds.placedAt,
  releasedBy: auditHolds.releasedBy,
  releaseReason: auditHolds.releaseReason,
  releasedAt: auditHolds.releasedAt,
};

/** Those that hold, then those that were released, the newest first of each. */
export const listHolds = (tx: TenantTransaction, limit: number): Promise<AuditHold[]> =>
  queriesOf(tx)
    .select(wholeHold)
    .from(auditHolds)
    .where(eq(auditHolds.tenantId, tx.tenantId))
    .orderBy(desc(isNull(auditHolds.releasedBy)), desc(auditHolds.holdId))
    .limit(limit);

export async function countOpenHolds(tx: TenantTransaction): Promise<number> {
  const open = and(eq(auditHolds.tenantId, tx.tenantId), isNull(auditHolds.releasedBy));
  return queriesOf(tx).$count(auditHolds, open);
}

export async function insertHold(
  tx: TenantTransaction,
  hold: { reason: string; placedBy: string },
): Promise<AuditHold> {
  const insert = insertRow(auditHolds, { tenantId: tx.tenantId, ...hold });
  const [row] = await queriesOf(tx).execute(sql`${insert} returning hold_id`);
  const placed = await lockHold(tx, String(row?.["hold_id"]));
  if (placed === undefined) throw new Error("a hold was placed and is not there");
  return placed;
}

export async function lockHold(tx: TenantTransaction, holdId: string): Promise<AuditHold | undefined> {
  const [found] = await queriesOf(tx)
    .select(wholeHold)
    .from(auditHolds)
    .where(and(eq(auditHolds.tenantId, tx.tenantId), eq(auditHolds.holdId, holdId)))
    .for("update");
  return found;
}

export async function releaseHoldRow(
  tx: TenantTransaction,
  holdId: string,
  said: { releasedBy: string; releaseReason: string },
): Promise<void> {
  await queriesOf(tx)
    .update(auditHolds)
    .set(said)
    .where(and(eq(auditHolds.tenantId, tx.tenantId), eq(auditHolds.holdId, holdId)));
}

/** When the tenant's oldest entry was written; undefined while it has none. */
export async function recordBegins(tx: TenantTransaction): Promise<string | undefined> {
  const [oldest] = await queriesOf(tx)
    .select({ recordedAt: auditEntries.recordedAt })
    .from(auditEntries)
    .where(eq(auditEntries.tenantId, tx.tenantId))
    .orderBy(asc(auditEntries.recordedAt), asc(auditEntries.auditId))
    .limit(1);
  return oldest?.recordedAt;
}

/** Whether the record still has a month: one that retention removed has no partition. */
export async function hasAuditMonth(tx: TenantTransaction, month: string): Promise<boolean> {
  const name = `signalbox.audit_entries_${month.replace("-", "_")}`;
  const [row] = await queriesOf(tx).execute(sql`select to_regclass(${name}) is not null as kept`);
  return row?.["kept"] === true;
}

/** The oldest first. */
export async function removableMonths(database: Database): Promise<RemovableMonth[]> {
  const rows = await connectionOf(database).read(
    sql`select to_char(month, 'YYYY-MM') as month, array_to_string(tenant_ids, ',') as tenants from signalbox.removable_audit_months()`,
  );
  return rows.map((row) => ({
    month: String(row["month"]),
    // No tenant's id holds a comma.
    tenantIds: String(row["tenants"]).split(","),
  }));
}

/** Refused by the database unless this transaction put it on each of the tenants' records. */
export async function removeAuditMonth(tx: BatchTransaction, month: string): Promise<void> {
  await queriesOf(tx).execute(sql`select signalbox.remove_audit_month(${`${month}-01`}::date)`);
}
