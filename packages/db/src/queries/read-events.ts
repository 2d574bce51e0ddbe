import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { epochMs } from "./recordset.ts";

/** Where a reader stands. */
export interface EventCursor {
  /** A transaction's 64-bit number, as text. */
  transaction: string;
  ordinal: number;
}

export interface StoredEvent extends EventCursor {
  pipelineId: string | null;
  recordedAt: number;
  kind: string;
  payload: string;
}

/**
 * What came after the cursor, up to the oldest transaction that still runs: beyond it one could yet commit between two
 * that were read. A reader that goes on with `next` misses none.
 */
export async function readEvents(
  tx: TenantTransaction,
  { after = { transaction: "0", ordinal: -1 }, limit }: { after?: EventCursor | undefined; limit: number },
): Promise<{ events: StoredEvent[]; next: EventCursor }> {
  const events = await queriesOf(tx).execute<StoredEvent & Record<string, unknown>>(sql`
    select transaction, ordinal, pipeline_id as "pipelineId", ${epochMs(sql`recorded_at`)} as "recordedAt", kind, payload
    from signalbox.events
    where tenant_id = ${tx.tenantId} and (transaction, ordinal) > (${after.transaction}::xid8, ${after.ordinal}::int)
      and transaction < pg_snapshot_xmin(pg_current_snapshot())
    order by transaction, ordinal limit ${limit}`);
  const last = events.at(-1);
  return {
    events: Array.from(events),
    next: last === undefined ? after : { transaction: last.transaction, ordinal: last.ordinal },
  };
}

/** Where a reader stands that wants nothing of the past. */
export async function latestEvent(tx: TenantTransaction): Promise<EventCursor> {
  const [row] = await queriesOf(tx).execute<EventCursor & Record<string, unknown>>(sql`
    select transaction, ordinal from signalbox.events
    where tenant_id = ${tx.tenantId} and transaction < pg_snapshot_xmin(pg_current_snapshot())
    order by transaction desc, ordinal desc limit 1`);
  return row === undefined
    ? { transaction: "0", ordinal: -1 }
    : { transaction: row.transaction, ordinal: row.ordinal };
}
