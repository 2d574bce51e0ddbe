import {
  type AuditFilter,
  type AuditEntry as AuditRow,
  listAuditEntries as listAuditRows,
} from "@signalbox/db";
import { authorise } from "./authorise.ts";
import { type PageRequest, readCursor, readLimit, refuseCursor, writeCursor } from "./page.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

export type AuditPage = {
  readonly entries: readonly AuditRow[];
  readonly nextCursor: string | undefined;
};

/** The newest first, by the database's time (D19). Each entry's payload is the very text that was recorded. */
export async function listAudit(
  system: System,
  { caller }: Asked,
  { cursor, limit, ...filter }: Omit<PageRequest, "query"> & AuditFilter,
): Promise<AuditPage> {
  authorise(caller, "audit.read", undefined);
  const most = readLimit(limit);
  const after = cursor === undefined ? undefined : cursorOf(cursor);
  const { entries, next } = await transact(system, caller.tenantId, (tx) =>
    listAuditRows(tx, { ...filter, limit: most, after }),
  );
  return { entries, nextCursor: next && writeCursor([next.recordedAt, next.auditId]) };
}

const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function cursorOf(cursor: string) {
  const [recordedAt = "", auditId = ""] = readCursor(cursor, 2);
  if (!moment.test(recordedAt) || !uuid.test(auditId)) throw refuseCursor();
  return { recordedAt, auditId };
}
