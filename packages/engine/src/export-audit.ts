import { AuditEventTypeSchema } from "@signalbox/contracts";
import { auditExported, redactRationale, type Redactor } from "@signalbox/core";
import { type AuditEntry, type AuditFilter, type AuditRecord, listAuditEntries } from "@signalbox/db";
import { authorise } from "./authorise.ts";
import { auditContextOf } from "./documents/in-turn.ts";
import { redactorInForce } from "./documents/redactor-in-force.ts";
import {
  type AuditPage,
  type AuditSearch,
  cursorOf,
  filterOf,
  refuseVainSearch,
  writeAuditCursor,
} from "./read-audit.ts";
import { recordOne } from "./record.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

/** What one export gives; who wants more goes on with the cursor. */
const exportLimit = { entries: 100_000, page: 200 } as const;

/**
 * Every entry that fits, the newest first, from before this export's own entry on: what is recorded meanwhile belongs to the
 * next one. Each page is a transaction of its own, read when the one before it was used, so that a slow reader holds
 * none. The last page has a cursor where the limit cut the export off.
 */
export async function exportAudit(
  system: System,
  asked: Asked,
  { cursor, ...search }: AuditSearch & { readonly cursor?: string | undefined },
  { entries: most, page }: { entries: number; page: number } = exportLimit,
): Promise<AsyncGenerator<AuditPage, void, void>> {
  authorise(asked.caller, "audit.read", undefined);
  const filter = filterOf(search);
  const from = cursor === undefined ? undefined : cursorOf(cursor);
  const own = await transact(system, asked.caller.tenantId, async (tx) => {
    await refuseVainSearch(tx, filter);
    const redactor = await redactorInForce(system, tx);
    return recordOne(tx, auditExported(auditContextOf(asked), narrowing(redactor, search, cursor)));
  });
  return pagesOf(system, asked, filter, { after: from ?? own, most, page });
}

async function* pagesOf(
  system: System,
  { caller }: Asked,
  filter: AuditFilter,
  { after, most, page }: { after: AuditRecord; most: number; page: number },
): AsyncGenerator<AuditPage, void, void> {
  let [last, left]: [AuditRecord | undefined, number] = [after, most];
  while (last !== undefined) {
    const limit = Math.min(page, left);
    const from: AuditRecord = last;
    const found: { entries: AuditEntry[]; next: AuditRecord | undefined } = await transact(
      system,
      caller.tenantId,
      (tx) => listAuditEntries(tx, { ...filter, limit, after: from }),
    );
    left -= found.entries.length;
    last = left > 0 ? found.next : undefined;
    const isCutOff = last === undefined && found.next !== undefined;
    yield {
      entries: found.entries,
      nextCursor: isCutOff && found.next ? writeAuditCursor(found.next) : undefined,
    };
  }
}

/** What a caller wrote goes on record masked, as everything does (D16), and cut. */
function narrowing(
  redactor: Redactor,
  { eventType, ...others }: AuditSearch,
  cursor: string | undefined,
): string {
  const type = AuditEventTypeSchema.values.find(({ number }) => number === eventType)?.name;
  const named = Object.entries({ eventType: type, ...others }).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = value instanceof Date ? value.toISOString() : value;
    return [`${name} ${JSON.stringify(redactRationale(redactor, text).slice(0, 200))}`];
  });
  return [...named, ...(cursor === undefined ? [] : ["what follows an earlier export"])].join(", ");
}
