import { and, between, eq, getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import type { AuditEntry } from "./audit-filter.ts";

/**
 * How far an entry's moment may lie from the one in its id. Postgres takes the two one after the other: they differ by
 * microseconds, unless its clock was set back, after which ids stay ahead until the clock has caught up.
 */
const WINDOWS_MS = [5_000, 3_600_000] as const;

/**
 * One entry by its id. No index begins with the id, which the hot path would pay for: the moment that a UUID of version 7
 * holds finds the place in the tenant's order, and at most an hour around it is ever looked through.
 */
export async function findAuditEntry(
  tx: TenantTransaction,
  auditId: string,
): Promise<AuditEntry | undefined> {
  const made = momentOf(auditId);
  if (made === undefined) return undefined;
  for (const window of WINDOWS_MS) {
    const { tenantId, ...columns } = getTableColumns(auditEntries);
    const around = between(auditEntries.recordedAt, moment(made - window), moment(made + window));
    const [found] = await queriesOf(tx)
      .select(columns)
      .from(auditEntries)
      .where(and(eq(tenantId, tx.tenantId), around, eq(auditEntries.auditId, auditId)));
    if (found !== undefined) return found;
  }
  return undefined;
}

const moment = (milliseconds: number) => sql`${new Date(milliseconds).toISOString()}::timestamptz`;

const versionSeven = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Undefined for what the database cannot have made: another version, or a year that is not written in four digits. */
function momentOf(auditId: string): number | undefined {
  const milliseconds = versionSeven.test(auditId)
    ? Number.parseInt(auditId.slice(0, 8) + auditId.slice(9, 13), 16)
    : Number.NaN;
  return milliseconds > 86_400_000 && milliseconds < 253_000_000_000_000 ? milliseconds : undefined;
}
