import { and, desc, eq, exists, getTableColumns, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { dispatches } from "../schema/dispatches.ts";
import { pipelines } from "../schema/pipelines.ts";

/** A pipeline for a list; its state is for `loadPipelines`. */
export type PipelineSummary = Omit<typeof pipelines.$inferSelect, "tenantId" | "state">;
export type PipelineCursor = Pick<PipelineSummary, "createdAt" | "pipelineId">;

const { tenantId, state: _state, ...summary } = getTableColumns(pipelines);

export type PipelineFilter = {
  /** The status that they have now. */
  readonly status?: number | undefined;
  /** Something of it was sent to this pack. */
  readonly packId?: string | undefined;
  /** In the name, the task's id or the template's, or the beginning of the pipeline's own. */
  readonly text?: string | undefined;
  readonly from?: Date | undefined;
  /** That moment itself is not in it. */
  readonly to?: Date | undefined;
};

/** Newest first. */
export async function listPipelines(
  tx: TenantTransaction,
  page: { limit: number; after?: PipelineCursor | undefined } & PipelineFilter,
): Promise<{ pipelines: PipelineSummary[]; next: PipelineCursor | undefined }> {
  const { limit, after, status, packId, text, from, to } = page;
  const found = await queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        status === undefined ? undefined : eq(pipelines.status, status),
        packId === undefined ? undefined : wasSentTo(tx, packId),
        text === undefined ? undefined : says(text),
        from && gte(pipelines.createdAt, from),
        to && lt(pipelines.createdAt, to),
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

const wasSentTo = (tx: TenantTransaction, packId: string): SQL =>
  exists(
    queriesOf(tx)
      .select({ one: sql`1` })
      .from(dispatches)
      .where(
        and(
          eq(dispatches.tenantId, tx.tenantId),
          eq(dispatches.pipelineId, pipelines.pipelineId),
          eq(dispatches.packId, packId),
        ),
      ),
  );

/** `strpos` takes the text as it is: nobody's underscore is a pattern. */
function says(text: string): SQL | undefined {
  const wanted = text.toLowerCase();
  const columns = [pipelines.name, pipelines.sourceTaskId, pipelines.templateId];
  return or(
    ...columns.map((column) => sql`strpos(lower(${column}), ${wanted}) > 0`),
    sql`starts_with(${pipelines.pipelineId}, ${wanted})`,
  );
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
