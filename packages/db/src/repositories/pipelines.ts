import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { dispatches } from "../schema/dispatches.ts";
import { saysPhrases } from "../schema/pipeline-words.ts";
import { pipelines } from "../schema/pipelines.ts";

/** A pipeline for a list; its state is for `loadPipelines`. */
export type PipelineSummary = Omit<typeof pipelines.$inferSelect, "tenantId" | "state">;
export type PipelineCursor = Pick<PipelineSummary, "createdAt" | "pipelineId">;

const { tenantId, state: _state, taskTitle: _title, ...columns } = getTableColumns(pipelines);

/** Of one that was begun before titles were kept, the beginning of what its task itself says. */
export const taskTitle = sql<string | null>`coalesce(pipelines.task_title, (
  select left(asked.task::json #>> '{contract,title}', 500) from signalbox.tasks asked
  where pipelines.task_title is null and asked.tenant_id = pipelines.tenant_id and asked.pipeline_id = pipelines.pipeline_id))`;

const summary = { ...columns, taskTitle };

export type PipelineFilter = {
  /** The status that they have now. */
  readonly status?: number | undefined;
  /** Something of it was sent to this pack. */
  readonly packId?: string | undefined;
  /** Each word begins one of the task's title or id, of the name or the template's; or all of it begins the pipeline's own id. */
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
        text === undefined ? undefined : await says(tx, text, page),
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

/** Those that ended last, the latest first. */
export function listEndedPipelines(tx: TenantTransaction, limit: number): Promise<PipelineSummary[]> {
  return queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(and(eq(tenantId, tx.tenantId), isNotNull(pipelines.endedAt)))
    .orderBy(desc(pipelines.endedAt), desc(pipelines.pipelineId))
    .limit(limit);
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

/**
 * Under row security no index finds words, so signalbox.search_pipelines does, which takes the tenant from the transaction
 * itself. It does not know what was sent to whom: with a pack, each of the tenant's pipelines is looked at.
 */
async function says(
  tx: TenantTransaction,
  words: string,
  page: { limit: number; after?: PipelineCursor | undefined } & PipelineFilter,
): Promise<SQL> {
  if (page.packId !== undefined) return saysPhrases(pipelines, words);
  return inArray(pipelines.pipelineId, await searchPipelines(tx, { ...page, words, most: page.limit + 1 }));
}

type Search = Pick<PipelineFilter, "status" | "from" | "to"> & {
  readonly words: string;
  readonly after?: PipelineCursor | undefined;
  /** Only those about which somebody is asked now, or ever was. */
  readonly asked?: "open" | "any" | undefined;
  readonly most: number;
};

/** Ids of the newest that say these words. */
export async function searchPipelines(tx: TenantTransaction, search: Search): Promise<string[]> {
  const { words, status, asked, from, to, after, most } = search;
  const found = await queriesOf(tx).execute<{ pipelineId: string }>(sql`
    select found as "pipelineId" from signalbox.search_pipelines(${words}::text, ${status ?? null}::int, ${asked ?? null}::text,
      ${from?.toISOString() ?? null}::timestamptz, ${to?.toISOString() ?? null}::timestamptz,
      ${after?.createdAt.toISOString() ?? null}::timestamptz, ${after?.pipelineId ?? null}::text, ${most}::int) as found`);
  return found.map(({ pipelineId }) => pipelineId);
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

export type TaskNames = Pick<PipelineSummary, "sourceTaskId" | "taskTitle">;

/** What people call the tasks of these, by pipeline. */
export async function findTaskNames(
  tx: TenantTransaction,
  pipelineIds: readonly string[],
): Promise<ReadonlyMap<string, TaskNames>> {
  if (pipelineIds.length === 0) return new Map();
  const { pipelineId, sourceTaskId } = pipelines;
  const found = await queriesOf(tx)
    .select({ pipelineId, sourceTaskId, taskTitle })
    .from(pipelines)
    .where(and(eq(tenantId, tx.tenantId), inArray(pipelineId, [...new Set(pipelineIds)])));
  return new Map(found.map((one) => [one.pipelineId, one]));
}

/** Oldest first: one asked for the next. */
export function findPipelinesOfTrace(tx: TenantTransaction, traceId: string): Promise<PipelineSummary[]> {
  return queriesOf(tx)
    .select(summary)
    .from(pipelines)
    .where(and(eq(tenantId, tx.tenantId), eq(pipelines.traceId, traceId)))
    .orderBy(pipelines.createdAt, pipelines.pipelineId);
}
