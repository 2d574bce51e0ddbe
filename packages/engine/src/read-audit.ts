import { SignalboxError } from "@signalbox/contracts";
import {
  type AuditFilter,
  type AuditEntry as AuditRow,
  type AuditRecord,
  isSearch,
  listAuditEntries as listAuditRows,
  ROUTINE_EVENT_TYPES,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "./authorise.ts";
import {
  type PageRequest,
  readLimit,
  readMomentCursor,
  readQuery,
  refuseCursor,
  writeCursor,
} from "./page.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

export type AuditPage = {
  readonly entries: readonly AuditRow[];
  readonly nextCursor: string | undefined;
};

export type AuditSearch = Omit<AuditFilter, "words"> & {
  /** Words to look for, as a search engine takes them. */
  readonly q?: string | undefined;
};

/** The newest first, by the database's time (D19). Each entry's payload is the very text that was recorded. */
export async function listAudit(
  system: System,
  { caller }: Asked,
  { cursor, limit, ...search }: Omit<PageRequest, "query"> & AuditSearch,
): Promise<AuditPage> {
  authorise(caller, "audit.read", undefined);
  const most = readLimit(limit);
  const filter = filterOf(search);
  const after = cursor === undefined ? undefined : cursorOf(cursor);
  const { entries, next } = await transact(system, caller.tenantId, async (tx) => {
    await refuseVainSearch(tx, filter);
    return listAuditRows(tx, { ...filter, limit: most, after });
  });
  return { entries, nextCursor: next && writeAuditCursor(next) };
}

export const writeAuditCursor = ({ recordedAt, auditId }: AuditRecord): string =>
  writeCursor([recordedAt, auditId]);

const refuse = (field: "q" | "to", rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The record cannot be searched for that.", {
    violations: [{ field, rule, message }],
  });

export function filterOf({ q, ...filter }: AuditSearch): AuditFilter {
  const { from, to } = filter;
  // An empty page would be taken for an empty record.
  if (from !== undefined && to !== undefined && to <= from)
    throw refuse("to", "after_from", `a moment later than from, ${from.toISOString()}`);
  const words = readQuery(q, "q");
  if (q !== undefined && words === undefined) throw noWord();
  if (words === undefined) return filter;
  if (filter.pipelineId === undefined && ROUTINE_EVENT_TYPES.includes(filter.eventType ?? 0))
    throw refuse(
      "q",
      "routine",
      "of entries of this event type words are found where pipelineId is given too",
    );
  return { ...filter, words };
}

const noWord = () => refuse("q", "word", "at least one word to look for, beside what is to be left out");

/** What is only to be left out, or is no word, would read the whole record: only Postgres knows what is a word. */
export async function refuseVainSearch(tx: TenantTransaction, { words }: AuditFilter): Promise<void> {
  if (words !== undefined && !(await isSearch(tx, words))) throw noWord();
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function cursorOf(cursor: string) {
  const [recordedAt = "", auditId = ""] = readMomentCursor(cursor, 2);
  if (!uuid.test(auditId)) throw refuseCursor();
  return { recordedAt, auditId };
}
