import { and, desc, eq, getTableColumns, isNull, sql, type SQL } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { readExactMoment } from "../schema/columns.ts";
import { insertOf, type NewAuditEntry } from "../queries/append-audit-entries.ts";
import type { AuditEntry, AuditFilter, AuditRecord } from "../queries/audit-filter.ts";
import { searchAudit } from "../queries/search-audit.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { pipelines } from "../schema/pipelines.ts";

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

type AuditPage = AuditFilter & { limit: number; after?: AuditRecord | undefined };

/** Newest first, by the database's time. */
export async function listAuditEntries(
  tx: TenantTransaction,
  page: AuditPage,
): Promise<{ entries: AuditEntry[]; next: AuditRecord | undefined }> {
  const found = await foundBy(tx, page);
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    entries: shown,
    next:
      found.length > page.limit && last ? { auditId: last.auditId, recordedAt: last.recordedAt } : undefined,
  };
}

function foundBy(tx: TenantTransaction, page: AuditPage): Promise<AuditEntry[]> {
  if (page.words !== undefined) return searchAudit(tx, { ...page, words: page.words, most: page.limit + 1 });
  return page.traceId === undefined ? newest(tx, page, undefined) : newestOfTrace(tx, page, page.traceId);
}

/** Those of a page, and one more where there is one. */
function newest(tx: TenantTransaction, page: AuditPage, narrower: SQL | undefined) {
  const { limit, after } = page;
  const { tenantId, ...columns } = getTableColumns(auditEntries);
  return queriesOf(tx)
    .select(columns)
    .from(auditEntries)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        matches(page),
        narrower,
        after &&
          sql`(${auditEntries.recordedAt}, ${auditEntries.auditId})
            < (${after.recordedAt}::timestamptz, ${after.auditId}::uuid)`,
      ),
    )
    .orderBy(desc(auditEntries.recordedAt), desc(auditEntries.auditId))
    .limit(limit + 1);
}

/**
 * A pipeline's entries are found by the pipeline: an index by trace on each of them is what the hot path does not pay.
 * Each pipeline, and what belongs to none, is asked by itself: of a condition that names both Postgres makes a walk along
 * the tenant's whole record.
 */
async function newestOfTrace(tx: TenantTransaction, page: AuditPage, traceId: string): Promise<AuditEntry[]> {
  const ofTrace = eq(auditEntries.traceId, traceId);
  const own = newest(tx, page, and(ofTrace, eq(auditEntries.pipelineId, pipelines.pipelineId))).as("own");
  const [alone, traced] = await Promise.all([
    newest(tx, page, and(ofTrace, isNull(auditEntries.pipelineId))),
    queriesOf(tx)
      .select(own._.selectedFields)
      .from(pipelines)
      .crossJoinLateral(own)
      .where(and(eq(pipelines.tenantId, tx.tenantId), eq(pipelines.traceId, traceId)))
      .orderBy(desc(own.recordedAt), desc(own.auditId))
      .limit(page.limit + 1),
  ]);
  return [...alone, ...traced].toSorted(newestFirst).slice(0, page.limit + 1);
}

/** As the database orders them: by the moment to the microsecond, and by the id where that is one. */
const newestFirst = (one: AuditRecord, other: AuditRecord): number =>
  compare(digitsOf(other), digitsOf(one)) || compare(other.auditId, one.auditId);

/** Zeros at a moment's end are not printed: with the zone's letter behind them a shorter one would come out later. */
const digitsOf = ({ recordedAt }: AuditRecord): string => recordedAt.replace("Z", "");
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const ORCHESTRATOR = "orchestrator";

function matches({ eventType, packId, pipelineId, actor, from, to }: AuditFilter): SQL | undefined {
  return and(
    eventType === undefined ? undefined : eq(auditEntries.eventType, eventType),
    packId === undefined ? undefined : eq(auditEntries.packId, packId),
    pipelineId === undefined ? undefined : eq(auditEntries.pipelineId, pipelineId),
    actor === undefined ? undefined : eq(auditEntries.actorId, actor),
    // Says to the planner that audit_entries_by_actor, which leaves the orchestrator out, will do.
    actor === undefined || actor === ORCHESTRATOR
      ? undefined
      : sql`${auditEntries.actorId} <> 'orchestrator'`,
    from && sql`${auditEntries.recordedAt} >= ${from.toISOString()}::timestamptz`,
    to && sql`${auditEntries.recordedAt} < ${to.toISOString()}::timestamptz`,
  );
}

/** Makes the partitions of this month and of so many that follow; without its partition an entry cannot be written. */
export async function ensureAuditPartitions(database: Database, monthsAhead: number): Promise<number> {
  const [row] = await connectionOf(database).read(
    sql`select signalbox.ensure_audit_partitions(${monthsAhead}) as made`,
  );
  return Number(row?.["made"]);
}
