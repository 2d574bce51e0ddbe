import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { pipelines } from "../schema/pipelines.ts";

/** A pipeline for a list; its state is for `loadPipelines`. */
export type PipelineSummary = Omit<typeof pipelines.$inferSelect, "tenantId" | "state">;
export type PipelineCursor = Pick<PipelineSummary, "createdAt" | "pipelineId">;

const { tenantId, state: _state, ...summary } = getTableColumns(pipelines);

/** Newest first; with a status, those that have it now. */
export async function listPipelines(
  tx: TenantTransaction,
  page: { limit: number; after?: PipelineCursor | undefined; status?: number | undefined },
): Promise<{ pipelines: PipelineSummary[]; next: PipelineCursor | undefined }> {
  const { limit, after, status } = page;
  const found = await queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        status === undefined ? undefined : eq(pipelines.status, status),
        after &&
          sql`(${pipelines.createdAt}, ${pipelines.pipelineId})
            < (${after.createdAt.toISOString()}::timestamptz, ${after.pipelineId})`,
      ),
    )
    .orderBy(desc(pipelines.createdAt), desc(pipelines.pipelineId))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    pipelines: shown,
    next:
      found.length > limit && last ? { createdAt: last.createdAt, pipelineId: last.pipelineId } : undefined,
  };
}

export async function findPipeline(
  tx: TenantTransaction,
  pipelineId: string,
): Promise<PipelineSummary | undefined> {
  const [found] = await queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(and(eq(tenantId, tx.tenantId), eq(pipelines.pipelineId, pipelineId)));
  return found;
}

/** Oldest first: one asked for the next. */
export function findPipelinesOfTrace(tx: TenantTransaction, traceId: string): Promise<PipelineSummary[]> {
  return queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(and(eq(tenantId, tx.tenantId), eq(pipelines.traceId, traceId)))
    .orderBy(pipelines.createdAt, pipelines.pipelineId);
}
