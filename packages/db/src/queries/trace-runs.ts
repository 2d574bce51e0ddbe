import { sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";
import { numberEvents, queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { eventsOf } from "./events-of-runs.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";
import { TURN_KEY, type TurnKey } from "./turn-streams.ts";

/** No run has more events, so that one that holds a place is found without looking at all before it. */
export const LONGEST_RUN = 1_000;

export interface NewTraceRun extends TurnKey {
  firstSequence: number;
  stageId: string;
  /** Each once. */
  types: readonly string[];
  /** Of each event, in their order. */
  eventIds: readonly string[];
  /** In hexadecimal; null for an event that is kept as it was sent, and where all are. */
  fingerprints: readonly (string | null)[] | null;
  /** The events' JSON, with commas between. */
  events: string;
}

/** What one report brought, and how readers are told of it. */
export interface NewTraceReport {
  kind: string;
  /** A JSON object, to which the events are added as its last member. */
  news: string;
  runs: readonly NewTraceRun[];
}

/**
 * Under the locks of their turns' streams. An event's id that is there already fails the transaction (`isKnownTraceEvent`):
 * whoever may send again looks for the ids first. Readers are told what is kept in the same statement, so that it travels once.
 */
export function insertionOfTraceReports(tx: BatchTransaction, reports: readonly NewTraceReport[]): Statement {
  if (reports.length === 0) {
    return undefined;
  }
  const first = numberEvents(tx, reports.length);
  const rows = reports.flatMap(({ kind, news, runs }, index) =>
    runs.map(({ types, eventIds, fingerprints, ...run }) => ({
      ...run,
      lastSequence: run.firstSequence + eventIds.length - 1,
      types: listOf(types),
      eventIds: listOf(eventIds),
      fingerprints:
        fingerprints && listOf(fingerprints.map((one) => (one === null ? "null" : String.raw`"\\x${one}"`))),
      ordinal: first + index,
      kind,
      news,
    })),
  );
  const shape = {
    ...TURN_KEY,
    firstSequence: "int",
    lastSequence: "int",
    stageId: "text",
    types: "text",
    eventIds: "text",
    fingerprints: "text",
    ordinal: "int",
    kind: "text",
    news: "text",
  } as const;
  return sql`
    with given as materialized (select * from ${recordset(rows, shape, ["events"])}),
    kept as (
      insert into signalbox.trace_runs
        (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, first_sequence, last_sequence, stage_id, types,
          fingerprints, events)
      select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex", "firstSequence", "lastSequence", "stageId",
        types::text[], fingerprints::bytea[], events
      from given
    ),
    named as (
      insert into signalbox.trace_event_ids
        (tenant_id, pipeline_id, stage_order, attempt_number, event_id, turn_index, sequence)
      select "tenantId", "pipelineId", "stageOrder", "attemptNumber", own.id, "turnIndex", "firstSequence" + own.place::int - 1
      from given cross join unnest("eventIds"::uuid[]) with ordinality as own (id, place)
    )
    insert into signalbox.events (tenant_id, ordinal, pipeline_id, kind, payload)
    select "tenantId", ordinal, "pipelineId", kind,
      left(news, -1) || ',"events":[' || string_agg(events, ',' order by "turnIndex", "firstSequence") || ']}'
    from given group by "tenantId", ordinal, "pipelineId", kind, news`;
}

const listOf = (parts: readonly string[]): string => `{${parts.join(",")}}`;

/** One of the events that were to be inserted is there already. */
export const isKnownTraceEvent = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === "23505" &&
  "constraint_name" in error &&
  (error.constraint_name === "trace_event_ids_pk" || error.constraint_name === "trace_runs_pk");

export interface EventKey extends DispatchKey {
  eventId: string;
}

export interface KnownTraceEvent extends EventKey {
  /** Null where the event is kept as it was sent. */
  fingerprint: string | null;
  event: string;
}

/**
 * Those of these events that were kept before, with what tells them from others of the same id. Each run is read once, however
 * many of its events are asked for: a report that is sent again asks for all of one. Read for each of them, a thousand events of a
 * megabyte took 4.5 seconds of the server, where they now take 0.3.
 */
export async function findTraceEvents(
  tx: BatchTransaction,
  keys: readonly EventKey[],
): Promise<KnownTraceEvent[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<KnownTraceEvent & Record<string, unknown>>(sql`
    with known as materialized (
      select given.*, own.turn_index, run.first_sequence, own.sequence - run.first_sequence + 1 as place
      from ${recordset(keys, { ...DISPATCH_KEY, eventId: "uuid" })}
      cross join lateral (
        select turn_index, sequence from signalbox.trace_event_ids
        where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
          and stage_order = given."stageOrder" and attempt_number = given."attemptNumber" and event_id = given."eventId"
        limit 1
      ) as own
      cross join lateral (
        select first_sequence from signalbox.trace_runs
        where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
          and stage_order = given."stageOrder" and attempt_number = given."attemptNumber"
          and turn_index = own.turn_index and first_sequence <= own.sequence
        order by first_sequence desc limit 1
      ) as run
    ), wanted as (
      select "tenantId", "pipelineId", "stageOrder", "attemptNumber", turn_index, first_sequence,
        array_agg("eventId") as ids, array_agg(place) as places
      from known group by 1, 2, 3, 4, 5, 6
    ), looked_at as materialized (
      select wanted.*,
        array(select encode(fingerprint, 'hex') from unnest(run.fingerprints) as fingerprint) as fingerprints,
        array(select own.event::text from ${eventsOf(sql`run`)}) as events
      from wanted
      cross join lateral (
        select fingerprints, events from signalbox.trace_runs
        where tenant_id = "tenantId" and pipeline_id = "pipelineId" and stage_order = "stageOrder"
          and attempt_number = "attemptNumber" and turn_index = wanted.turn_index
          and first_sequence = wanted.first_sequence
        limit 1
      ) as run
    )
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", own.id::text as "eventId",
      fingerprints[own.place] as fingerprint, events[own.place] as event
    from looked_at cross join unnest(ids, places) as own (id, place)`);
  return Array.from(found);
}
