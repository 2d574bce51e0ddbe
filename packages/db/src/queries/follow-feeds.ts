import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { epochMs, recordset } from "./recordset.ts";
import { type EventCursor, type StoredEvent, toldPayload } from "./stored-event.ts";

export interface FollowedFeed extends EventCursor {
  tenantId: string;
}

export interface FeedPage {
  /** In their order. */
  events: StoredEvent[];
  /** Nothing that is not yet read can come before it. */
  next: EventCursor;
  /** There may be more at once. */
  full: boolean;
  /** Events after the cursor were forgotten before they were read. */
  forgotten: boolean;
}

/** Stands behind every event of its transaction. */
const LAST_ORDINAL = 2 ** 31 - 1;

type Row = Record<string, unknown> & { followed: string; settled: string; forgotten: boolean } & (
    | StoredEvent
    | { transaction: null }
  );

/**
 * What came in many tenants' feeds since it was read last, in one statement. Below the oldest transaction that still runs
 * nothing can come any more, so a feed that has nothing new goes on from there all the same: who was told that much needs
 * no event to know it.
 */
export async function followFeeds(
  tx: BatchTransaction,
  feeds: readonly FollowedFeed[],
  limit: number,
): Promise<Map<string, FeedPage>> {
  if (feeds.length === 0) {
    return new Map();
  }
  const shape = { tenantId: "text", transaction: "text", ordinal: "int" } as const;
  const rows = await queriesOf(tx).execute<Row>(sql`
    select given."tenantId" as followed,
      pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1 as settled,
      coalesce((horizon.transaction, horizon.ordinal) > (given.transaction::xid8, given.ordinal), false) as forgotten,
      event.transaction, event.ordinal, event.pipeline_id as "pipelineId",
      ${epochMs(sql`event.recorded_at`)} as "recordedAt", event.kind, ${toldPayload(sql`event`)} as payload
    from ${recordset(feeds, shape)}
    left join signalbox.feed_horizons horizon on horizon.tenant_id = given."tenantId"
    left join lateral (
      select * from signalbox.events own
      where own.tenant_id = given."tenantId" and (own.transaction, own.ordinal) > (given.transaction::xid8, given.ordinal)
        and own.transaction < pg_snapshot_xmin(pg_current_snapshot())
      order by own.transaction, own.ordinal limit ${limit}
    ) event on true
    order by event.transaction, event.ordinal`);
  const byTenant = Map.groupBy(rows, ({ followed }) => followed);
  return new Map([...byTenant].map(([tenantId, own]) => [tenantId, pageOf(own, limit)]));
}

function pageOf(rows: readonly Row[], limit: number): FeedPage {
  const events = rows.flatMap((row) => (isEvent(row) ? eventOf(row) : []));
  const [first] = rows;
  const last = events.at(-1);
  const full = events.length === limit;
  return {
    events,
    full,
    forgotten: first?.forgotten === true,
    next:
      full && last !== undefined
        ? { transaction: last.transaction, ordinal: last.ordinal }
        : { transaction: String(first?.settled), ordinal: LAST_ORDINAL },
  };
}

/** Where a feed stands that is followed from now on. */
export async function settledPosition(tx: BatchTransaction): Promise<EventCursor> {
  const [row] = await queriesOf(tx).execute<{ settled: string }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1 as settled`);
  return { transaction: String(row?.settled), ordinal: LAST_ORDINAL };
}

const isEvent = (row: StoredEvent | { transaction: null }): row is StoredEvent => row.transaction !== null;

const eventOf = ({ transaction, ordinal, pipelineId, recordedAt, kind, payload }: StoredEvent) => ({
  transaction,
  ordinal,
  pipelineId,
  recordedAt,
  kind,
  payload,
});
