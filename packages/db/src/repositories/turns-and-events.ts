import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { traceEvents } from "../schema/trace-events.ts";
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

export type StoredTraceEvent = Omit<
  typeof traceEvents.$inferSelect,
  "tenantId" | "pipelineId" | "fingerprint"
>;
export type TraceEventCursor = TurnCursor & Pick<StoredTraceEvent, "sequence">;

const {
  tenantId: _eventsTenant,
  pipelineId: _eventsPipeline,
  fingerprint: _eventsMark,
  ...ofEvent
} = getTableColumns(traceEvents);

/** A pipeline's, by stage, attempt, turn and sequence. */
export function listTraceEvents(
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
  return queriesOf(tx)
    .select(ofEvent)
    .from(traceEvents)
    .where(
      and(
        eq(traceEvents.tenantId, tx.tenantId),
        eq(traceEvents.pipelineId, pipelineId),
        stageId === undefined ? undefined : eq(traceEvents.stageId, stageId),
        type === undefined ? undefined : eq(traceEvents.type, type),
        after &&
          sql`(${traceEvents.stageOrder}, ${traceEvents.attemptNumber}, ${traceEvents.turnIndex}, ${traceEvents.sequence})
            > (${after.stageOrder}::int, ${after.attemptNumber}::int, ${after.turnIndex}::int, ${after.sequence}::int)`,
      ),
    )
    .orderBy(traceEvents.stageOrder, traceEvents.attemptNumber, traceEvents.turnIndex, traceEvents.sequence)
    .limit(limit);
}

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
