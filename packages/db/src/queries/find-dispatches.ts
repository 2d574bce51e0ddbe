import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface FoundDispatch extends DispatchKey {
  stageId: string;
  taskType: string;
  packId: string;
  packVersion: string;
  instanceId: string;
  policyVersion: string;
  sentAt: number;
}

/** To whom these were sent, whether they are over or not; without their envelopes. */
export async function findDispatches(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<FoundDispatch[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<FoundDispatch & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.stage_order as "stageOrder",
      own.attempt_number as "attemptNumber", own.stage_id as "stageId", own.task_type as "taskType",
      own.pack_id as "packId", own.pack_version as "packVersion", own.instance_id as "instanceId",
      own.policy_version as "policyVersion", ${epochMs(sql`own.sent_at`)} as "sentAt"
    from ${recordset(keys, DISPATCH_KEY)}
    join signalbox.dispatches own
      on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"`);
  return Array.from(found);
}
