import { and, desc, eq, gt, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import type { AttemptKey } from "../repositories/attempts.ts";
import { turns } from "../schema/turns.ts";
import { epochMs } from "./recordset.ts";

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
 * chunk may have a megabyte, so a page ends at its bytes too: `octet_length` reads no text that lies apart from its row.
 */
export async function listEventWindow(
  tx: TenantTransaction,
  { pipelineId, stageOrder, attemptNumber }: AttemptKey,
  { types, direction, than, limit, mostBytes }: EventWindow,
): Promise<WindowedEvent[]> {
  const way = sql.raw(direction === "newer" ? "asc" : "desc");
  const beyond = sql.raw(direction === "newer" ? ">" : "<");
  const from =
    than === undefined
      ? sql``
      : sql`and (turn_index, sequence) ${beyond} (${than.turnIndex}::int, ${than.sequence}::int)`;
  const found = await queriesOf(tx).execute<WindowedEvent & Record<string, unknown>>(sql`
    with page as (
      select turn_index, sequence, received_at, event, octet_length(event) as bytes
      from signalbox.trace_events
      where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId} and stage_order = ${stageOrder}::int
        and attempt_number = ${attemptNumber}::int and type = any(string_to_array(${types.join(",")}, ',')) ${from}
      order by turn_index ${way}, sequence ${way}
      limit ${limit}::int
    ), measured as (
      select *, sum(bytes) over (order by turn_index ${way}, sequence ${way}) - bytes as before from page
    )
    select turn_index as "turnIndex", sequence, event, ${epochMs(sql`received_at`)} as "receivedAt" from measured
    where before = 0 or before + bytes <= ${mostBytes}::bigint
    order by turn_index ${way}, sequence ${way}`);
  return Array.from(found);
}

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
