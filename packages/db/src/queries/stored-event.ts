import { type SQL, sql } from "drizzle-orm";

/** Where an event stands in its tenant's feed: core's FeedPosition. */
export interface EventCursor {
  /** A transaction's 64-bit number, as text. */
  transaction: string;
  /** Its place in it. */
  ordinal: number;
}

export interface StoredEvent extends EventCursor {
  pipelineId: string | null;
  recordedAt: number;
  kind: string;
  payload: string;
}

/**
 * What readers are told of a row of `events`. Of a report it names the runs, and what they hold is joined to it here: kept in both,
 * it cost a report a sixth of its time at PostgreSQL. A report's runs are numbered by their turns and places; ordered by those, all
 * runs of the attempt might be read for each.
 */
export const toldPayload = (
  event: SQL,
): SQL => sql`case when ${event}.first_run is null then ${event}.payload else
  left(${event}.payload, -1) || ',"events":[' || (
    select string_agg(run.events, ',' order by run.run_number) from signalbox.trace_runs run
    where run.tenant_id = ${event}.tenant_id and run.pipeline_id = ${event}.pipeline_id
      and run.stage_order = ${event}.stage_order and run.attempt_number = ${event}.attempt_number
      and run.run_number between ${event}.first_run and ${event}.last_run
  ) || ']}' end`;
