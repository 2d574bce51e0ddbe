import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface EscalationKey extends PipelineKey {
  number: number;
}

export interface NewEscalation extends EscalationKey {
  stageId: string | null;
  cause: string;
  /** Empty where it concerns the pipeline as a whole. */
  taskType: string;
  packId: string | null;
  /** Why dispatch refused its stage; null where it asks about something else. */
  refusal: string | null;
  escalation: string;
}

const ESCALATION_KEY = { ...PIPELINE_KEY, number: "int" } as const;

export async function openEscalations(tx: BatchTransaction, rows: readonly NewEscalation[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.escalations (tenant_id, pipeline_id, number, stage_id, cause, task_type, pack_id, refusal, escalation)
    select "tenantId", "pipelineId", "number", "stageId", cause, "taskType", "packId", refusal, escalation::json
    from ${recordset(rows, { ...ESCALATION_KEY, stageId: "text", cause: "text", taskType: "text", packId: "text", refusal: "text" }, ["escalation"])}`);
}

/** An escalation ends once: one that is closed keeps how it was. */
export async function closeEscalations(
  tx: BatchTransaction,
  rows: readonly (EscalationKey & { closing: string })[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    update signalbox.escalations own
    set closed_at = now(), closing = given.closing::json
    from ${recordset(rows, ESCALATION_KEY, ["closing"])}
    where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId" and own.number = given."number"
      and own.closed_at is null`);
}
