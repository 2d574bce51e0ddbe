import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { SELDOM } from "../schema/events.ts";
import { epochMs } from "./recordset.ts";
import { type EventCursor, type StoredEvent, toldPayload } from "./stored-event.ts";

/** A part of a tenant's feed: a pipeline's, or those of some families. */
export type FeedPart =
  | { pipelineId: string }
  /** `seldom`: none of them is one of those that are many (schema/events.ts). */
  | { families: readonly string[]; seldom: boolean };

export interface ReplayPage {
  events: StoredEvent[];
  /** Up to here, and `until` at most, everything was read. */
  next: EventCursor;
  /** Events after the cursor are not kept any more. */
  forgotten: boolean;
}

/**
 * What a part of the feed had between two positions. At most `most` rows are looked at, so that no page of a replay costs
 * more than another; what is not of the part is passed over here and not sent.
 *
 * Each part has its own index: by pipeline, by what is seldom, and the key itself for the whole.
 */
export async function replayEvents(
  tx: TenantTransaction,
  part: FeedPart,
  { after, until, most }: { after: EventCursor; until: EventCursor; most: number },
): Promise<ReplayPage> {
  const [own, wanted] =
    "pipelineId" in part
      ? [sql`pipeline_id = ${part.pipelineId}`, sql`true`]
      : [part.seldom ? sql`${SELDOM}` : sql`true`, familyIn(part.families)];
  const rows = await queriesOf(tx).execute<StoredEvent & { wanted: boolean; [name: string]: unknown }>(sql`
    select transaction, ordinal, pipeline_id as "pipelineId", ${epochMs(sql`recorded_at`)} as "recordedAt", kind,
      ${wanted} as wanted, case when ${wanted} then ${toldPayload(sql`own`)} else '' end as payload
    from signalbox.events own
    where tenant_id = ${tx.tenantId} and ${own}
      and (transaction, ordinal) > (${after.transaction}::xid8, ${after.ordinal}::int)
      and (transaction, ordinal) <= (${until.transaction}::xid8, ${until.ordinal}::int)
    order by transaction, ordinal limit ${most}`);
  // Asked afterwards: what is forgotten from now on was read.
  const [horizon] = await queriesOf(tx).execute<{ forgotten: boolean }>(sql`
    select (transaction, ordinal) > (${after.transaction}::xid8, ${after.ordinal}::int) as forgotten
    from signalbox.feed_horizons where tenant_id = ${tx.tenantId}`);
  const last = rows.at(-1);
  return {
    events: rows.flatMap(({ wanted: isWanted, ...event }) => (isWanted ? event : [])),
    next:
      rows.length < most || last === undefined
        ? until
        : { transaction: last.transaction, ordinal: last.ordinal },
    forgotten: horizon?.forgotten === true,
  };
}

const familyIn = (families: readonly string[]) =>
  sql`split_part(kind, '.', 1) = any (string_to_array(${families.join(",")}, ','))`;
