import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { readExactMoment } from "../schema/columns.ts";
import { auditEntries } from "../schema/audit-entries.ts";

/** What the app may say of an entry. Its id, time, transaction and salt are the database's (D19). */
export interface NewAuditEntry {
  /** AuditEventType's number. */
  eventType: number;
  actor: { type: number; id: string };
  traceId?: string | undefined;
  pipelineId?: string | undefined;
  stageId?: string | undefined;
  dispatchId?: string | undefined;
  attemptNumber?: number | undefined;
  packId?: string | undefined;
  /** The AuditEntry's JSON without what the database gives; kept byte for byte. */
  payload: string;
}

export type AuditEntry = Omit<typeof auditEntries.$inferSelect, "tenantId">;
export type AuditRecord = Pick<AuditEntry, "auditId" | "recordedAt">;

/**
 * One statement for a batch, as one recordset: a hundred entries cost little more than one. The payload travels as a
 * string inside it and becomes json here, so its bytes stay.
 */
export async function appendAuditEntries(
  tx: TenantTransaction,
  entries: readonly NewAuditEntry[],
): Promise<AuditRecord[]> {
  if (entries.length === 0) {
    return [];
  }
  const batch = entries.map(({ actor, ...entry }) => ({
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
  }));
  const appended = await queriesOf(tx).execute(sql`
    insert into signalbox.audit_entries
      (tenant_id, event_type, actor_type, actor_id, trace_id, pipeline_id, stage_id, dispatch_id, attempt_number, pack_id, payload)
    select ${tx.tenantId}, "eventType", "actorType", "actorId", "traceId", "pipelineId", "stageId", "dispatchId",
      "attemptNumber", "packId", "payload"::json
    from json_to_recordset(${JSON.stringify(batch)}::json) as entry
      ("eventType" int, "actorType" int, "actorId" text, "traceId" text, "pipelineId" text, "stageId" text,
       "dispatchId" text, "attemptNumber" int, "packId" text, "payload" text)
    returning audit_id, recorded_at`);
  return Array.from(appended, (row) => ({
    auditId: String(row["audit_id"]),
    recordedAt: readExactMoment(row["recorded_at"]),
  }));
}

/** Newest first, by the database's time. */
export async function listAuditEntries(
  tx: TenantTransaction,
  page: { limit: number; after?: AuditRecord | undefined },
): Promise<{ entries: AuditEntry[]; next: AuditRecord | undefined }> {
  const { limit, after } = page;
  const { tenantId, ...columns } = getTableColumns(auditEntries);
  const found = await queriesOf(tx)
    .select(columns)
    .from(auditEntries)
    .where(
      and(
        eq(tenantId, tx.tenantId),
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

/** Makes the partitions of this month and of so many that follow; without its partition an entry cannot be written. */
export async function ensureAuditPartitions(database: Database, monthsAhead: number): Promise<number> {
  const [row] = await connectionOf(database).read(
    sql`select signalbox.ensure_audit_partitions(${monthsAhead}) as made`,
  );
  return Number(row?.["made"]);
}
