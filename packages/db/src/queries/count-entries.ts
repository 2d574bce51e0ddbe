import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";

export interface EntrySpans {
  /** Epoch milliseconds. */
  from: number;
  stepMs: number;
  count: number;
}

/**
 * How many entries of each type there are in each span. A span is counted to a bound, by the index of types alone: what is asked
 * for costs the same however much there is on record. Spans without any are left out.
 */
export async function countEntries(
  tx: TenantTransaction,
  eventTypes: readonly number[],
  { from, stepMs, count }: EntrySpans,
  most: number,
): Promise<{ eventType: number; span: number; count: number }[]> {
  const rows = await queriesOf(tx).execute<{ eventType: number; span: number; count: number }>(sql`
    select type.number as "eventType", span.number as span, counted.entries as count
    from unnest(${`{${eventTypes.join(",")}}`}::int[]) as type (number)
    cross join generate_series(0, ${count - 1}::int) as span (number)
    cross join lateral (
      select count(*)::int as entries from (
        select 1 from signalbox.audit_entries own
        where own.tenant_id = ${tx.tenantId} and own.event_type = type.number
          and own.recorded_at >= to_timestamp((${from}::float8 + span.number * ${stepMs}::float8) / 1000)
          and own.recorded_at < to_timestamp((${from}::float8 + (span.number + 1) * ${stepMs}::float8) / 1000)
        limit ${most}
      ) as bounded
    ) as counted
    where counted.entries > 0`);
  return [...rows];
}

export interface PipelineTimes {
  /** How many they are; at most as many as were asked for. */
  counted: number;
  medianMs: number | null;
  /** Nineteen of twenty took no longer. */
  slowMs: number | null;
}

/** How long the pipelines took that were begun last and have this status. */
export async function readPipelineTimes(
  tx: TenantTransaction,
  { status, most }: { status: number; most: number },
): Promise<PipelineTimes> {
  const [row] = await queriesOf(tx).execute<PipelineTimes & Record<string, unknown>>(sql`
    with latest as (
      select extract(epoch from ended_at - created_at) * 1000 as took
      from signalbox.pipelines
      where tenant_id = ${tx.tenantId} and status = ${status} and ended_at is not null
      order by created_at desc, pipeline_id desc
      limit ${most}
    )
    select count(*)::int as counted,
      (percentile_cont(0.5) within group (order by took))::float8 as "medianMs",
      (percentile_cont(0.95) within group (order by took))::float8 as "slowMs"
    from latest`);
  return row ?? { counted: 0, medianMs: null, slowMs: null };
}
