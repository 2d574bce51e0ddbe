import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey, type StageKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface StoredPipelineRow extends PipelineKey {
  revision: number;
  traceId: string;
  templateId: string;
  templateVersion: string;
  /** Core's PipelineState without what follows, as JSON. */
  state: string;
  plan: string;
  task: string;
  /** In the plan's order. */
  stages: { stageOrder: number; state: string }[];
  /** Open ones, oldest first. */
  escalations: string[];
}

/** All that a pipeline's state is made of. Three statements that travel together: one would send each state escaped. */
export async function loadPipelines(
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
): Promise<StoredPipelineRow[]> {
  if (keys.length === 0) {
    return [];
  }
  const wanted = recordset(keys, PIPELINE_KEY);
  const [pipelines, stages, escalations] = await Promise.all([
    queriesOf(tx).execute<Omit<StoredPipelineRow, "stages" | "escalations"> & Record<string, unknown>>(sql`
      select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.revision, own.trace_id as "traceId",
        own.template_id as "templateId", own.template_version as "templateVersion", own.state, asked.plan, asked.task
      from ${wanted}
      join signalbox.pipelines own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      join signalbox.tasks asked on asked.tenant_id = given."tenantId" and asked.pipeline_id = given."pipelineId"`),
    queriesOf(tx).execute<StageKey & { state: string } & Record<string, unknown>>(sql`
      select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder", own.state
      from ${wanted}
      join signalbox.stages own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      order by own.stage_order`),
    queriesOf(tx).execute<PipelineKey & { escalation: string } & Record<string, unknown>>(sql`
      select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.escalation
      from ${wanted}
      join signalbox.escalations own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      where own.closed_at is null
      order by own.number`),
  ]);
  const found = new Map(
    pipelines.map((row): [string, StoredPipelineRow] => [
      textOf(row),
      { ...row, stages: [], escalations: [] },
    ]),
  );
  for (const row of stages) {
    found.get(textOf(row))?.stages.push({ stageOrder: row.stageOrder, state: row.state });
  }
  for (const row of escalations) {
    found.get(textOf(row))?.escalations.push(row.escalation);
  }
  return [...found.values()];
}

/** No tenant's id holds a slash. */
function textOf({ tenantId, pipelineId }: PipelineKey): string {
  return `${tenantId}/${pipelineId}`;
}
