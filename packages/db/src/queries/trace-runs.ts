import { sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";
import { numberEvents, queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { writerOf } from "./column-writer.ts";
import { eventsOf } from "./events-of-runs.ts";
import { byAttempt, DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";
import { TURN_KEY, type TurnKey } from "./turn-streams.ts";

/** No run has more events, so that one that holds a place is found without looking at all before it. */
export const LONGEST_RUN = 1_000;

export interface NewTraceRun extends TurnKey {
  firstSequence: number;
  /** Behind the last of its attempt. One that is taken fails the transaction (`isOvertaken`). */
  runNumber: number;
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
  /** A JSON object, to which the events are added as its last member when it is read. */
  news: string;
  /** All of one attempt, by their numbers, without a gap. */
  runs: readonly NewTraceRun[];
}

/**
 * By whoever knows which ids the attempt's runs hold up to the number before theirs: where another run came meanwhile, the
 * transaction fails (`isOvertaken`). Readers are told by the runs' numbers (`toldPayload`), so that what was said is kept once.
 */
export function insertionOfTraceReports(tx: BatchTransaction, reports: readonly NewTraceReport[]): Statement {
  if (reports.length === 0) {
    return undefined;
  }
  const first = numberEvents(tx, reports.length);
  // Two that write other turns of the same attempts meet at their runs' numbers: in one order, so that they never wait in a circle.
  const inOrder = reports
    .flatMap(({ kind, news, runs }, index) =>
      runs.map((run, place) => ({
        run,
        // Readers are told once of a report.
        told: place === 0 ? { ordinal: first + index, kind, news, lastRun: runs.at(-1)?.runNumber } : {},
      })),
    )
    .toSorted((one, other) => byAttempt(one.run, other.run) || one.run.runNumber - other.run.runNumber);
  // All ids go as one column, of which each run takes its own: in a column of lists each would be a text that has to be read.
  const ids = inOrder.flatMap(({ run }) => run.eventIds);
  let idsBefore = 0;
  const rows = inOrder.map(({ run, told }) => {
    const { types, eventIds, fingerprints, ...row } = run;
    const idsFrom = idsBefore + 1;
    idsBefore += eventIds.length;
    const lists = {
      lastSequence: run.firstSequence + eventIds.length - 1,
      idsFrom,
      idsTo: idsBefore,
      types: listOf(types),
      fingerprints:
        fingerprints && listOf(fingerprints.map((one) => (one === null ? "null" : String.raw`"\\x${one}"`))),
    };
    return Object.assign(row, lists, told);
  });
  const shape = {
    ...TURN_KEY,
    firstSequence: "int",
    lastSequence: "int",
    runNumber: "int",
    stageId: "text",
    types: "text",
    idsFrom: "int",
    idsTo: "int",
    fingerprints: "text",
    ordinal: "int",
    kind: "text",
    news: "text",
    lastRun: "int",
  } as const;
  return sql`
    with given as materialized (select * from ${recordset(rows, shape, ["events"])}),
    kept as (
      insert into signalbox.trace_runs
        (tenant_id, pipeline_id, stage_order, attempt_number, turn_index, first_sequence, last_sequence, run_number, event_ids,
          stage_id, types, fingerprints, events)
      select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "turnIndex", "firstSequence", "lastSequence",
        "runNumber", (${writerOf("eventIds", "uuid", ids)}::uuid[])["idsFrom":"idsTo"], "stageId", types::text[],
        fingerprints::bytea[], events
      from given
    )
    insert into signalbox.events
      (tenant_id, ordinal, pipeline_id, kind, payload, stage_order, attempt_number, first_run, last_run)
    select "tenantId", ordinal, "pipelineId", kind, news, "stageOrder", "attemptNumber", "runNumber", "lastRun"
    from given where ordinal is not null`;
}

const listOf = (parts: readonly string[]): string => `{${parts.join(",")}}`;

/** Another run took the number, or the place, of one that was to be inserted. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === "23505" &&
  "constraint_name" in error &&
  (error.constraint_name === "trace_runs_by_number" || error.constraint_name === "trace_runs_pk");

export interface NamedRun extends DispatchKey {
  runNumber: number;
  eventIds: string[];
}

/** Which ids attempts' runs hold, from the run with this number on, so many runs of each at most. */
export async function loadEventIds(
  tx: BatchTransaction,
  attempts: readonly (DispatchKey & { from: number })[],
  most: number,
): Promise<NamedRun[]> {
  if (attempts.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<
    DispatchKey & { runNumber: number; ids: string; [name: string]: unknown }
  >(sql`
    select given."tenantId", given."pipelineId", given."stageOrder", given."attemptNumber", own.run_number as "runNumber",
      array_to_string(own.event_ids, ',') as ids
    from ${recordset(attempts, { ...DISPATCH_KEY, from: "int" })}
    cross join lateral (
      select run_number, event_ids from signalbox.trace_runs
      where tenant_id = given."tenantId" and pipeline_id = given."pipelineId"
        and stage_order = given."stageOrder" and attempt_number = given."attemptNumber" and run_number >= given."from"
      order by run_number limit ${most}::int
    ) as own`);
  return found.map(({ ids, ...run }) => Object.assign(run, { eventIds: ids.split(",") }));
}

/** An event's id, and a run of its attempt that may hold it. */
export interface EventKey extends DispatchKey {
  runNumber: number;
  eventId: string;
}

export interface KnownTraceEvent extends DispatchKey {
  eventId: string;
  /** Null where the event is kept as it was sent. */
  fingerprint: string | null;
  event: string;
}

/**
 * Those of these events that these runs hold, with what tells them from others of the same id. Each run is read once, however
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
    with wanted as materialized (
      select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "runNumber", array_agg("eventId") as ids
      from ${recordset(keys, { ...DISPATCH_KEY, runNumber: "int", eventId: "uuid" })}
      group by 1, 2, 3, 4, 5
    ), looked_at as materialized (
      select wanted.*, run.event_ids,
        array(select encode(fingerprint, 'hex') from unnest(run.fingerprints) as fingerprint) as fingerprints,
        array(select own.event::text from ${eventsOf(sql`run`)}) as events
      from wanted
      cross join lateral (
        select event_ids, fingerprints, events from signalbox.trace_runs
        where tenant_id = "tenantId" and pipeline_id = "pipelineId" and stage_order = "stageOrder"
          and attempt_number = "attemptNumber" and run_number = wanted."runNumber"
        limit 1
      ) as run
      where run.event_ids && ids
    )
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", own.id::text as "eventId",
      fingerprints[own.place] as fingerprint, events[own.place] as event
    from looked_at cross join unnest(event_ids) with ordinality as own (id, place)
    where own.id = any(ids)`);
  return Array.from(found);
}
