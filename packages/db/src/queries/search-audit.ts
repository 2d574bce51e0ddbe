import { getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import type { AuditEntry, AuditFilter, AuditRecord } from "./audit-filter.ts";
import { auditEntries } from "../schema/audit-entries.ts";

type Search = AuditFilter & { words: string; after?: AuditRecord | undefined; most: number };

/**
 * The newest that say these words. Under row security no query finds words by an index, so signalbox.search_audit does,
 * which takes the tenant from the transaction itself.
 */
export async function searchAudit(tx: TenantTransaction, search: Search): Promise<AuditEntry[]> {
  const { words, eventType, packId, pipelineId, traceId, actor, from, to, after, most } = search;
  const { tenantId: _tenantId, ...columns } = getTableColumns(auditEntries);
  const found = await queriesOf(tx).execute(sql`
    select * from signalbox.search_audit(${words}::text, ${eventType ?? null}::int, ${packId ?? null}::text,
      ${pipelineId ?? null}::text, ${traceId ?? null}::text, ${actor ?? null}::text,
      ${from?.toISOString() ?? null}::timestamptz, ${to?.toISOString() ?? null}::timestamptz,
      ${after?.recordedAt ?? null}::timestamptz, ${after?.auditId ?? null}::uuid, ${most}::int)`);
  return Array.from(found, (row) => {
    const read = Object.entries(columns).map(([name, column]) => {
      const printed = row[column.name];
      return [name, printed === null ? null : column.mapFromDriverValue(printed)];
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function's rows are the table's, read by its columns
    return Object.fromEntries(read) as AuditEntry;
  });
}

/** Whether the words name anything to look for: punctuation does not, and what is only to be left out would read everything. */
export async function isSearch(tx: TenantTransaction, words: string): Promise<boolean> {
  const [row] = await queriesOf(tx).execute<{ indexable: string }>(
    sql`select querytree(websearch_to_tsquery('simple', ${words})) as indexable`,
  );
  return row !== undefined && row.indexable !== "" && row.indexable !== "T";
}
