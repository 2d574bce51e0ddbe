import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { eventsOf, holdsType, isOfType } from "../queries/events-of-runs.ts";
import { epochMs } from "../queries/recordset.ts";
import { LONGEST_RUN } from "../queries/trace-runs.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { turns } from "../schema/turns.ts";

export type StoredTurn = Omit<typeof turns.$inferSelect, "tenantId" | "pipelineId" | "fingerprint">;
export type TurnCursor = Pick<StoredTurn, "stageOrder" | "attemptNumber" | "turnIndex">;

type Filters = { stageId?: string | undefined };

const {
  tenantId: _turnsTenant,
  pipelineId: _turnsPipeline,
  fingerprint: _turnsMark,
  ...ofTurn
} = getTableColumns(turns);

/** A pipeline's, by stage, attempt and turn. */
export function listTurns(
  tx: TenantTransaction,
  pipelineId: string,
  { after, limit, stageId }: Filters & { after?: TurnCursor | undefined; limit: number },
): Promise<StoredTurn[]> {
  return queriesOf(tx)
    .select(ofTurn)
    .from(turns)
    .where(
      and(
        eq(turns.tenantId, tx.tenantId),
        eq(turns.pipelineId, pipelineId),
        stageId === undefined ? undefined : eq(turns.stageId, stageId),
        after &&
          sql`(${turns.stageOrder}, ${turns.attemptNumber}, ${turns.turnIndex})
            > (${after.stageOrder}::int, ${after.attemptNumber}::int, ${after.turnIndex}::int)`,
      ),
    )
    .orderBy(turns.stageOrder, turns.attemptNumber, turns.turnIndex)
    .limit(limit);
}

export interface StoredTraceEvent extends TurnCursor {
  sequence: number;
  stageId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  event: string;
}
export type TraceEventCursor = TurnCursor & Pick<StoredTraceEvent, "sequence">;

/** A pipeline's, by stage, attempt, turn and sequence. */
export async function listTraceEvents(
  tx: TenantTransaction,
  pipelineId: string,
  {
    after,
    limit,
    stageId,
    type,
  }: Filters & {
    after?: TraceEventCursor | undefined;
    limit: number;
    type?: string | undefined;
  },
): Promise<StoredTraceEvent[]> {
  const place = (sequence: number) =>
    sql`(${after?.stageOrder}::int, ${after?.attemptNumber}::int, ${after?.turnIndex}::int, ${sequence}::int)`;
  const all = sql`true`;
  // What of a run the page shows for certain: runs behind those that fill it are not read.
  const beyond = lengthBeyond(after);
  const least = type === undefined ? beyond : sql`case when cardinality(types) = 1 then ${beyond} else 0 end`;
  const found = await queriesOf(tx).execute<StoredTraceEvent & Record<string, unknown>>(sql`
    select stage_order as "stageOrder", attempt_number as "attemptNumber", turn_index as "turnIndex", sequence,
      stage_id as "stageId", ${epochMs(sql`received_at`)} as "receivedAt", event
    from (
      select run.*, first_sequence + own.place::int - 1 as sequence, own.event::text as event
      from (
        select *, sum(${least}) over (order by stage_order, attempt_number, turn_index, first_sequence) - ${least} as before
        from signalbox.trace_runs
        where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId}
          and ${stageId === undefined ? all : sql`stage_id = ${stageId}`}
          and ${type === undefined ? all : holdsType([type])}
          and ${
            after === undefined
              ? all
              : // The first of these may hold the place that the page begins behind, and nothing behind it.
                sql`(stage_order, attempt_number, turn_index, first_sequence) > ${place(after.sequence - LONGEST_RUN)}
                and (stage_order, attempt_number, turn_index, last_sequence) > ${place(after.sequence)}`
          }
        order by stage_order, attempt_number, turn_index, first_sequence
        limit ${limit + 1}::int
      ) as run
      cross join ${eventsOf(sql`run`)}
      where run.before < ${limit}::int and ${type === undefined ? all : isOfType([type])}
    ) as told
    where ${
      after === undefined
        ? all
        : sql`(stage_order, attempt_number, turn_index, sequence) > ${place(after.sequence)}`
    }
    order by stage_order, attempt_number, turn_index, sequence
    limit ${limit}::int`);
  return Array.from(found);
}

/** How many events of a run stand behind a place, which may be in it. */
const lengthBeyond = (after: TraceEventCursor | undefined): SQL =>
  after === undefined
    ? sql`(last_sequence - first_sequence + 1)`
    : sql`(last_sequence - case when first_sequence <= ${after.sequence}::int
        and (stage_order, attempt_number, turn_index) = (${after.stageOrder}::int, ${after.attemptNumber}::int, ${after.turnIndex}::int)
        then ${after.sequence}::int else first_sequence - 1 end)`;

export type RecordedEntry = { readonly recordedAt: Date; readonly payload: string };

/** What is on record of a pipeline's own steps. */
export async function listPipelineRecord(
  tx: TenantTransaction,
  pipelineId: string,
): Promise<RecordedEntry[]> {
  const found = await queriesOf(tx)
    .select({ recordedAt: auditEntries.recordedAt, payload: auditEntries.payload })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, tx.tenantId), eq(auditEntries.pipelineId, pipelineId)))
    .orderBy(auditEntries.recordedAt, auditEntries.auditId);
  return found.map(({ recordedAt, payload }) => ({ recordedAt: new Date(recordedAt), payload }));
}
