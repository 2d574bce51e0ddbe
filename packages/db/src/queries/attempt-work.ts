import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import type { AttemptKey } from "../repositories/attempts.ts";
import { turns } from "../schema/turns.ts";
import { eventsOf, holdsType, isOfType } from "./events-of-runs.ts";
import { epochMs } from "./recordset.ts";
import { LONGEST_RUN } from "./trace-runs.ts";

export type EventPlace = { readonly turnIndex: number; readonly sequence: number };

export type EventWindow = {
  readonly types: readonly string[];
  /** Away from the first event, or from the last. */
  readonly direction: "newer" | "older";
  /** Begins behind it; without one at the attempt's first event, or at its last. */
  readonly than?: EventPlace | undefined;
  readonly limit: number;
  /** Of all events together; one that is longer by itself comes alone. */
  readonly mostBytes: number;
};

export interface WindowedEvent extends EventPlace {
  event: string;
  receivedAt: number;
}

/**
 * The next events of one attempt from a place on, in either direction, in the order in which they are walked. A line or a
 * chunk may have a megabyte, so a page ends at its bytes too: first at those of the runs that are read for it, for
 * `octet_length` reads no text that lies apart from its row, and then at those of the events themselves.
 */
export async function listEventWindow(
  tx: TenantTransaction,
  { pipelineId, stageOrder, attemptNumber }: AttemptKey,
  { types, direction, than, limit, mostBytes }: EventWindow,
): Promise<WindowedEvent[]> {
  const way = sql.raw(direction === "newer" ? "asc" : "desc");
  const found = await queriesOf(tx).execute<WindowedEvent & Record<string, unknown>>(sql`
    with runs as (
      select turn_index, first_sequence, received_at, events, ${bytesToRead(than)} as bytes
      from signalbox.trace_runs
      where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId} and stage_order = ${stageOrder}::int
        and attempt_number = ${attemptNumber}::int and ${holdsType(types)} ${runsBeyond(direction, than)}
      order by turn_index ${way}, first_sequence ${way}
      limit ${limit + 1}::int
    ), few as (
      select *, sum(bytes) over (order by turn_index ${way}, first_sequence ${way}) - bytes as before from runs
    ), page as (
      select turn_index, first_sequence + own.place::int - 1 as sequence, received_at, own.event::text as event,
        octet_length(own.event::text) as bytes
      from few cross join ${eventsOf(sql`few`)}
      where before <= ${mostBytes}::bigint and ${isOfType(types)}
    ), measured as (
      select *, sum(bytes) over (order by turn_index ${way}, sequence ${way}) - bytes as before from page
      where ${isBeyond(direction, than)}
    )
    select turn_index as "turnIndex", sequence, event, ${epochMs(sql`received_at`)} as "receivedAt" from measured
    where before = 0 or before + bytes <= ${mostBytes}::bigint
    order by turn_index ${way}, sequence ${way}
    limit ${limit}::int`);
  return Array.from(found);
}

type Direction = EventWindow["direction"];
type Than = EventWindow["than"];

const isBeyond = (direction: Direction, than: Than): SQL =>
  than === undefined
    ? sql`true`
    : sql`(turn_index, sequence) ${sql.raw(direction === "newer" ? ">" : "<")} (${than.turnIndex}::int, ${than.sequence}::int)`;

/** What the index is asked for is the beginning of a run, which the place may be in. All but that one have an event beyond it. */
function runsBeyond(direction: Direction, than: Than): SQL {
  if (than === undefined) return sql``;
  const { turnIndex, sequence } = than;
  return direction === "older"
    ? sql`and (turn_index, first_sequence) < (${turnIndex}::int, ${sequence}::int)`
    : sql`and (turn_index, first_sequence) > (${turnIndex}::int, ${sequence - LONGEST_RUN}::int)
        and (turn_index, last_sequence) > (${turnIndex}::int, ${sequence}::int)`;
}

/** What is read of the run that holds the place may all lie on its other side: the page would end before it begins. */
const bytesToRead = (than: Than): SQL =>
  than === undefined
    ? sql`octet_length(events)`
    : sql`case when turn_index = ${than.turnIndex}::int and ${than.sequence}::int between first_sequence and last_sequence
        then 0 else octet_length(events) end`;

const ofAttempt = (tx: TenantTransaction, { pipelineId, stageOrder, attemptNumber }: AttemptKey) =>
  and(
    eq(turns.tenantId, tx.tenantId),
    eq(turns.pipelineId, pipelineId),
    eq(turns.stageOrder, stageOrder),
    eq(turns.attemptNumber, attemptNumber),
  );

/** One attempt's turns in their order; from the newest on, the other way about. */
export function listTurnsOfAttempt(
  tx: TenantTransaction,
  key: AttemptKey,
  { after, limit, from = "first" }: { after?: number | undefined; limit: number; from?: "first" | "newest" },
) {
  return queriesOf(tx)
    .select({
      turnIndex: turns.turnIndex,
      turn: turns.turn,
      marks: turns.marks,
      receivedAt: turns.receivedAt,
    })
    .from(turns)
    .where(and(ofAttempt(tx, key), after === undefined ? undefined : gt(turns.turnIndex, after)))
    .orderBy(from === "newest" ? desc(turns.turnIndex) : turns.turnIndex)
    .limit(limit);
}

/** What each turn claimed, without its text. */
export function listConfidences(tx: TenantTransaction, key: AttemptKey, limit: number) {
  return queriesOf(tx)
    .select({ turnIndex: turns.turnIndex, confidence: turns.confidence })
    .from(turns)
    .where(ofAttempt(tx, key))
    .orderBy(turns.turnIndex)
    .limit(limit);
}
