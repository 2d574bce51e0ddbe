import { and, desc, eq, getTableColumns, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { readExactMoment } from "../schema/columns.ts";
import { insertOf, type NewAuditEntry } from "../queries/append-audit-entries.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { pipelines } from "../schema/pipelines.ts";

export type AuditEntry = Omit<typeof auditEntries.$inferSelect, "tenantId">;
export type AuditRecord = Pick<AuditEntry, "auditId" | "recordedAt">;

/** This transaction's tenant's entries, and what the database gave them. */
export async function appendAuditEntries(
  tx: TenantTransaction,
  entries: readonly NewAuditEntry[],
): Promise<AuditRecord[]> {
  if (entries.length === 0) {
    return [];
  }
  const insert = insertOf(entries.map((entry) => ({ ...entry, tenantId: tx.tenantId })));
  const appended = await queriesOf(tx).execute(sql`${insert} returning audit_id, recorded_at`);
  return Array.from(appended, (row) => ({
    auditId: String(row["audit_id"]),
    recordedAt: readExactMoment(row["recorded_at"]),
  }));
}

/** What is not given does not narrow. `to` is excluded, so that pages of days do not overlap. */
export interface AuditFilter {
  eventType?: number | undefined;
  packId?: string | undefined;
  pipelineId?: string | undefined;
  traceId?: string | undefined;
  /** An actor's id. */
  actor?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Newest first, by the database's time. */
export async function listAuditEntries(
  tx: TenantTransaction,
  page: AuditFilter & { limit: number; after?: AuditRecord | undefined },
): Promise<{ entries: AuditEntry[]; next: AuditRecord | undefined }> {
  const { limit, after } = page;
  const { tenantId, ...columns } = getTableColumns(auditEntries);
  const found = await queriesOf(tx)
    .select(columns)
    .from(auditEntries)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        matches(page),
        await ofTrace(tx, page.traceId),
        after &&
          sql`(${auditEntries.recordedAt}, ${auditEntries.auditId})
            < (${after.recordedAt}::timestamptz, ${after.auditId}::uuid)`,
      ),
    )
    .orderBy(desc(auditEntries.recordedAt), desc(auditEntries.auditId))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: shown,
    next: found.length > limit && last ? { auditId: last.auditId, recordedAt: last.recordedAt } : undefined,
  };
}

function matches({ eventType, packId, pipelineId, actor, from, to }: AuditFilter): SQL | undefined {
  return and(
    eventType === undefined ? undefined : eq(auditEntries.eventType, eventType),
    packId === undefined ? undefined : eq(auditEntries.packId, packId),
    pipelineId === undefined ? undefined : eq(auditEntries.pipelineId, pipelineId),
    actor === undefined ? undefined : eq(auditEntries.actorId, actor),
    from && sql`${auditEntries.recordedAt} >= ${from.toISOString()}::timestamptz`,
    to && sql`${auditEntries.recordedAt} < ${to.toISOString()}::timestamptz`,
  );
}

/** A pipeline's entries are found by the pipeline: an index by trace on each of them is what the hot path does not pay. */
async function ofTrace(tx: TenantTransaction, traceId: string | undefined): Promise<SQL | undefined> {
  if (traceId === undefined) {
    return undefined;
  }
  const traced = await queriesOf(tx)
    .select({ pipelineId: pipelines.pipelineId })
    .from(pipelines)
    .where(and(eq(pipelines.tenantId, tx.tenantId), eq(pipelines.traceId, traceId)));
  return and(
    eq(auditEntries.traceId, traceId),
    or(
      isNull(auditEntries.pipelineId),
      inArray(
        auditEntries.pipelineId,
        traced.map(({ pipelineId }) => pipelineId),
      ),
    ),
  );
}

/** Makes the partitions of this month and of so many that follow; without its partition an entry cannot be written. */
export async function ensureAuditPartitions(database: Database, monthsAhead: number): Promise<number> {
  const [row] = await connectionOf(database).read(
    sql`select signalbox.ensure_audit_partitions(${monthsAhead}) as made`,
  );
  return Number(row?.["made"]);
}
