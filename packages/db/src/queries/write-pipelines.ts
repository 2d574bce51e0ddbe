import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { fromEpochMs, recordset } from "./recordset.ts";

export interface NewTask extends PipelineKey {
  task: string;
  plan: string;
}

export async function insertTasks(tx: BatchTransaction, rows: readonly NewTask[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.tasks (tenant_id, pipeline_id, task, plan)
    select "tenantId", "pipelineId", task, plan
    from ${recordset(rows, PIPELINE_KEY, ["task", "plan"])}`);
}

export interface NewPipeline extends PipelineKey {
  revision: number;
  /** PipelineStatus's number. */
  status: number;
  name: string;
  templateId: string;
  templateVersion: string;
  traceId: string;
  sourceTaskId: string | null;
  /** Masked, and cut by core's `keptTitle`. */
  taskTitle: string | null;
  submittedByType: number;
  submittedBy: string;
  state: string;
  dueAt: number | null;
  endedAt: number | null;
}

const NEW_PIPELINE = {
  ...PIPELINE_KEY,
  revision: "int",
  status: "int",
  name: "text",
  templateId: "text",
  templateVersion: "text",
  traceId: "text",
  sourceTaskId: "text",
  taskTitle: "text",
  submittedByType: "int",
  submittedBy: "text",
  dueAt: "float8",
  endedAt: "float8",
} as const;

export async function insertPipelines(tx: BatchTransaction, rows: readonly NewPipeline[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.pipelines
      (tenant_id, pipeline_id, revision, status, name, template_id, template_version, trace_id, source_task_id,
       task_title, submitted_by_type, submitted_by, state, due_at, ended_at)
    select "tenantId", "pipelineId", revision, status, name, "templateId", "templateVersion", "traceId", "sourceTaskId",
      "taskTitle", "submittedByType", "submittedBy", state, ${fromEpochMs(sql`"dueAt"`)}, ${fromEpochMs(sql`"endedAt"`)}
    from ${recordset(rows, NEW_PIPELINE, ["state"])}`);
}

export interface PipelineChange extends PipelineKey {
  /** What the change was decided on. */
  expectedRevision: number;
  revision: number;
  status: number;
  state: string;
  dueAt: number | null;
  endedAt: number | null;
}

const PIPELINE_CHANGE = {
  ...PIPELINE_KEY,
  expectedRevision: "int",
  revision: "int",
  status: "int",
  dueAt: "float8",
  endedAt: "float8",
} as const;

/** Gives those whose revision was another one than expected, or that do not exist: none where their locks are held. */
export async function updatePipelines(
  tx: BatchTransaction,
  rows: readonly PipelineChange[],
): Promise<PipelineKey[]> {
  if (rows.length === 0) {
    return [];
  }
  const changed = await queriesOf(tx).execute<PipelineKey & Record<string, unknown>>(sql`
    update signalbox.pipelines own
    set revision = given.revision, status = given.status, state = given.state, updated_at = now(),
      due_at = ${fromEpochMs(sql`given."dueAt"`)}, ended_at = ${fromEpochMs(sql`given."endedAt"`)}
    from ${recordset(rows, PIPELINE_CHANGE, ["state"])}
    where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.revision = given."expectedRevision"
    returning own.tenant_id as "tenantId", own.pipeline_id as "pipelineId"`);
  if (changed.length === rows.length) {
    return [];
  }
  const done = new Set(changed.map(({ tenantId, pipelineId }) => `${tenantId}/${pipelineId}`));
  return rows.filter(({ tenantId, pipelineId }) => !done.has(`${tenantId}/${pipelineId}`));
}
