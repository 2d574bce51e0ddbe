import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

/** What pipelines were planned as, which never changes. */
export async function loadPlans(
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
): Promise<(PipelineKey & { plan: string })[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<PipelineKey & { plan: string } & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.plan
    from ${recordset(keys, PIPELINE_KEY)}
    join signalbox.tasks own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"`);
  return Array.from(found);
}
