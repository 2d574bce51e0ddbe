import { sql } from "drizzle-orm";
import { connectionOf, type Database } from "../database.ts";
import type { DispatchKey, PipelineKey, StageKey } from "./keys.ts";

/** How many at once: of each tenant, and of all; every tenant's first comes before any tenant's second. */
export interface SweepLimits {
  each: number;
  total: number;
}

export interface DueStage extends StageKey {
  taskType: string;
}

/** Stages that may be claimed, or looked at again, whosever they are. */
export async function dueStages(database: Database, { each, total }: SweepLimits): Promise<DueStage[]> {
  const rows = await connectionOf(database).read(sql`select * from signalbox.due_stages(${each}, ${total})`);
  return rows.map(stageOf);
}

/** Those that have waited longest for a task type that can be served again. */
export async function wokenStages(
  database: Database,
  pairs: readonly { tenantId: string; taskType: string }[],
  each: number,
): Promise<DueStage[]> {
  if (pairs.length === 0) {
    return [];
  }
  const rows = await connectionOf(database).read(
    sql`select * from signalbox.woken_stages(${JSON.stringify(pairs)}::json, ${each})`,
  );
  return rows.map(stageOf);
}

export interface WaitingLine {
  tenantId: string;
  taskType: string;
  waiting: number;
}

/** Every line in which stages wait, whosever it is; no more than `most` of one are counted. */
export async function waitingLines(database: Database, most: number): Promise<WaitingLine[]> {
  const rows = await connectionOf(database).read(sql`select * from signalbox.waiting_lines(${most})`);
  return rows.map((row) => ({
    tenantId: String(row["tenant_id"]),
    taskType: String(row["task_type"]),
    waiting: Number(row["waiting"]),
  }));
}

/** Dispatches whose lease or time is over, or that nobody took. */
export async function dueOpenDispatches(
  database: Database,
  { each, total }: SweepLimits,
): Promise<DispatchKey[]> {
  const rows = await connectionOf(database).read(
    sql`select * from signalbox.due_open_dispatches(${each}, ${total})`,
  );
  return rows.map((row) =>
    Object.assign(pipelineOf(row), {
      stageOrder: Number(row["stage_order"]),
      attemptNumber: Number(row["attempt_number"]),
    }),
  );
}

/** Pipelines whose deadline is over. */
export async function duePipelines(database: Database, { each, total }: SweepLimits): Promise<PipelineKey[]> {
  const rows = await connectionOf(database).read(
    sql`select * from signalbox.due_pipelines(${each}, ${total})`,
  );
  return rows.map(pipelineOf);
}

function pipelineOf(row: Record<string, unknown>): PipelineKey {
  return { tenantId: String(row["tenant_id"]), pipelineId: String(row["pipeline_id"]) };
}

function stageOf(row: Record<string, unknown>): DueStage {
  return {
    ...pipelineOf(row),
    stageOrder: Number(row["stage_order"]),
    taskType: String(row["task_type"]),
  };
}
