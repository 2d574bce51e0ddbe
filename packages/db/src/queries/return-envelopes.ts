import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

/**
 * What was handed to an agent that had gone before it arrived can be taken again, until `takeWithinMs` from now; or, where
 * it was tried and may be tried often, from when it was sent.
 */
export async function returnEnvelopes(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
  takeWithinMs: number,
  since: "now" | "sent" = "now",
): Promise<void> {
  if (keys.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    update signalbox.open_dispatches own
    set handed_at = null, lease_expires_at = null,
      due_at = least(own.timeout_at,
        ${since === "now" ? sql`now()` : sql`own.sent_at`} + ${takeWithinMs}::float8 * interval '1 millisecond')
    from ${recordset(keys, DISPATCH_KEY)}
    where own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
      and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"`);
}
