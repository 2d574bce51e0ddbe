import { sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";
import { queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";
import { TURN_KEY, type TurnKey } from "./turn-streams.ts";

export interface NewTraceEvent extends TurnKey {
  sequence: number;
  eventId: string;
  stageId: string;
  type: string;
  /** In hexadecimal. */
  fingerprint: string;
  event: string;
}

/**
 * Under the locks of their turns' streams. `known`: their ids were looked for, so what is there already was told by
 * somebody else under another turn, and is passed over. Otherwise an id that is there fails the transaction
 * (`isKnownTraceEvent`), which costs Postgres a quarter less a row than asking both indexes first.
 */
export function insertionOfTraceEvents(
  rows: readonly NewTraceEvent[],
  { known }: { readonly known: boolean },
): Statement {
  if (rows.length === 0) {
    return undefined;
  }
  const shape = {
    ...TURN_KEY,
    sequence: "int",
    eventId: "text",
    stageId: "text",
    type: "text",
    fingerprint: "text",
  } as const;
  return sql`
    insert into signalbox.trace_events
      (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, sequence, event_id, stage_id, type, fingerprint, event)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex", sequence, "eventId"::uuid, "stageId", type,
      decode(fingerprint, 'hex'), event
    from ${recordset(rows, shape, ["event"])}
    ${sql.raw(known ? "on conflict do nothing" : "")}`;
}

/** One of the events that were to be inserted is there already. */
export const isKnownTraceEvent = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === "23505" &&
  "constraint_name" in error &&
  (error.constraint_name === "trace_events_id" || error.constraint_name === "trace_events_pk");

export interface EventKey extends DispatchKey {
  eventId: string;
}

/**
 * Those of these events that were kept before, with what tells them from others of the same id.
 *
 * By the index of ids and no other: the plan is made while the table is new, when the primary key's first columns look as
 * good, and each id would be looked for among all events of its dispatch. As a range that is asked for in the order of ids,
 * and with sorting kept from the planner, only one index fits. Seen with 1,200 events a dispatch: 393 ms for 300 ids by the
 * one, 2 ms by the other; without the setting the planner took either, from one start of the process to the next.
 */
export async function findTraceEvents(
  tx: BatchTransaction,
  keys: readonly EventKey[],
): Promise<(EventKey & { fingerprint: string })[]> {
  if (keys.length === 0) {
    return [];
  }
  const queries = queriesOf(tx);
  const sorting = (setting: "on" | "off") =>
    queries.execute(sql`select set_config('enable_sort', ${setting}, true)`);
  // Sent together: one round trip.
  const [, found] = await Promise.all([
    sorting("off"),
    queries.execute<EventKey & { fingerprint: string } & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.event_id::text as "eventId", encode(own.fingerprint, 'hex') as fingerprint
    from ${recordset(keys, { ...DISPATCH_KEY, eventId: "text" })}
    cross join lateral (
      select * from signalbox.trace_events
      where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
        and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
        and event_id between given."eventId"::uuid and given."eventId"::uuid
      order by event_id limit 1
    ) own`),
    sorting("on"),
  ]);
  return Array.from(found);
}
