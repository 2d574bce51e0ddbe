import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { STAGE_KEY, type StageKey } from "./keys.ts";
import { fromEpochMs, recordset } from "./recordset.ts";

export interface StageChange extends StageKey {
  taskType: string;
  /** StageStatus's number. */
  status: number;
  attemptNumber: number;
  state: string;
  claimableAt: number | null;
  waitingSince: number | null;
}

export interface NewStage extends StageChange {
  stageId: string;
}

const STAGE_CHANGE = {
  ...STAGE_KEY,
  taskType: "text",
  status: "int",
  attemptNumber: "int",
  claimableAt: "float8",
  waitingSince: "float8",
} as const;

const claimableAt = fromEpochMs(sql`given."claimableAt"`);
const waitingSince = fromEpochMs(sql`given."waitingSince"`);

export async function insertStages(tx: BatchTransaction, rows: readonly NewStage[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.stages
      (tenant_id, pipeline_id, stage_order, stage_id, task_type, status, attempt_number, state, claimable_at, waiting_since)
    select "tenantId", "pipelineId", "stageOrder", "stageId", "taskType", status, "attemptNumber", state,
      ${claimableAt}, ${waitingSince}
    from ${recordset(rows, { ...STAGE_CHANGE, stageId: "text" }, ["state"])}`);
}

/** Under the pipeline's lock, so that there is nothing to compare. */
export async function updateStages(tx: BatchTransaction, rows: readonly StageChange[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    update signalbox.stages own
    set task_type = given."taskType", status = given.status, attempt_number = given."attemptNumber",
      state = given.state, claimable_at = ${claimableAt}, waiting_since = ${waitingSince}
    from ${recordset(rows, STAGE_CHANGE, ["state"])}
    where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder"`);
}
