import { and, eq, getTableColumns } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { dispatches } from "../schema/dispatches.ts";
import { results } from "../schema/results.ts";

export type StoredDispatch = Omit<typeof dispatches.$inferSelect, "tenantId">;
export type StoredResult = Omit<typeof results.$inferSelect, "tenantId">;

/** A pipeline's, by stage and attempt. */
export function listDispatchesOf(tx: TenantTransaction, pipelineId: string): Promise<StoredDispatch[]> {
  const { tenantId, ...columns } = getTableColumns(dispatches);
  return queriesOf(tx)
    .select(columns)
    .from(dispatches)
    .where(and(eq(tenantId, tx.tenantId), eq(dispatches.pipelineId, pipelineId)))
    .orderBy(dispatches.stageOrder, dispatches.attemptNumber);
}

/** A pipeline's, by stage and attempt. */
export function listResultsOf(tx: TenantTransaction, pipelineId: string): Promise<StoredResult[]> {
  const { tenantId, ...columns } = getTableColumns(results);
  return queriesOf(tx)
    .select(columns)
    .from(results)
    .where(and(eq(tenantId, tx.tenantId), eq(results.pipelineId, pipelineId)))
    .orderBy(results.stageOrder, results.attemptNumber);
}
