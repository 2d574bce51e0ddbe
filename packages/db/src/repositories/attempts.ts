import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import type { DispatchKey } from "../queries/keys.ts";
import { auditEntries } from "../schema/audit-entries.ts";
import { dispatches } from "../schema/dispatches.ts";
import { openDispatches } from "../schema/open-dispatches.ts";
import { results } from "../schema/results.ts";
import type { RecordedEntry } from "./turns-and-events.ts";

export type AttemptKey = Omit<DispatchKey, "tenantId">;

const { tenantId: _tenant, envelope, spans: _decided, ...ofDispatch } = getTableColumns(dispatches);

const answered = and(
  eq(results.tenantId, dispatches.tenantId),
  eq(results.pipelineId, dispatches.pipelineId),
  eq(results.stageOrder, dispatches.stageOrder),
  eq(results.attemptNumber, dispatches.attemptNumber),
);
const stillOpen = and(
  eq(openDispatches.tenantId, dispatches.tenantId),
  eq(openDispatches.pipelineId, dispatches.pipelineId),
  eq(openDispatches.stageOrder, dispatches.stageOrder),
  eq(openDispatches.attemptNumber, dispatches.attemptNumber),
);
/** Null where no result came. The spans are few and small; envelope and result may be a megabyte each. */
const standingColumns = {
  standing: results.standing,
  receivedAt: results.receivedAt,
  spans: results.spans,
  atWork: sql<boolean>`${openDispatches.pipelineId} is not null`,
};

export type StoredAttempt = Awaited<ReturnType<typeof listAttempts>>[number];

/** A pipeline's attempts by stage and number, each with how its result stands, without what was sent and answered. */
export function listAttempts(tx: TenantTransaction, pipelineId: string) {
  return queriesOf(tx)
    .select({ ...ofDispatch, ...standingColumns })
    .from(dispatches)
    .leftJoin(results, answered)
    .leftJoin(openDispatches, stillOpen)
    .where(and(eq(dispatches.tenantId, tx.tenantId), eq(dispatches.pipelineId, pipelineId)))
    .orderBy(dispatches.stageOrder, dispatches.attemptNumber);
}

const isAttempt = (tx: TenantTransaction, key: AttemptKey) =>
  and(
    eq(dispatches.tenantId, tx.tenantId),
    eq(dispatches.pipelineId, key.pipelineId),
    eq(dispatches.stageOrder, key.stageOrder),
    eq(dispatches.attemptNumber, key.attemptNumber),
  );

export async function hasAttempt(tx: TenantTransaction, key: AttemptKey): Promise<boolean> {
  const found = await queriesOf(tx)
    .select({ stageId: dispatches.stageId })
    .from(dispatches)
    .where(isAttempt(tx, key));
  return found.length > 0;
}

/** One attempt whole. */
export async function findAttempt(tx: TenantTransaction, key: AttemptKey) {
  const [found] = await queriesOf(tx)
    .select({ ...ofDispatch, ...standingColumns, envelope, result: results.result })
    .from(dispatches)
    .leftJoin(results, answered)
    .leftJoin(openDispatches, stillOpen)
    .where(isAttempt(tx, key));
  return found;
}

/** What is on record of one attempt of a stage, in the order of the record. */
export async function listAttemptRecord(
  tx: TenantTransaction,
  { pipelineId, stageId, attemptNumber }: { pipelineId: string; stageId: string; attemptNumber: number },
): Promise<(RecordedEntry & { readonly auditId: string })[]> {
  const found = await queriesOf(tx)
    .select({
      auditId: auditEntries.auditId,
      recordedAt: auditEntries.recordedAt,
      payload: auditEntries.payload,
    })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.tenantId, tx.tenantId),
        eq(auditEntries.pipelineId, pipelineId),
        eq(auditEntries.stageId, stageId),
        eq(auditEntries.attemptNumber, attemptNumber),
      ),
    )
    .orderBy(auditEntries.recordedAt, auditEntries.auditId);
  return found.map(({ auditId, recordedAt, payload }) => ({
    auditId,
    recordedAt: new Date(recordedAt),
    payload,
  }));
}
