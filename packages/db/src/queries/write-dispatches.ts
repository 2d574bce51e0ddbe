import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { fromEpochMs, recordset } from "./recordset.ts";

interface SentTo extends DispatchKey {
  stageId: string;
  taskType: string;
  packId: string;
  instanceId: string;
}

export interface NewDispatch extends SentTo {
  packVersion: string;
  policyVersion: string;
  envelope: string;
  spans: string;
}

const SENT_TO = {
  ...DISPATCH_KEY,
  stageId: "text",
  taskType: "text",
  packId: "text",
  instanceId: "text",
} as const;

export async function insertDispatches(tx: BatchTransaction, rows: readonly NewDispatch[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const given = recordset(rows, { ...SENT_TO, packVersion: "text", policyVersion: "text" }, [
    "envelope",
    "spans",
  ]);
  await queriesOf(tx).execute(sql`
    insert into signalbox.dispatches
      (tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, pack_version, instance_id,
       policy_version, envelope, spans)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "stageId", "taskType", "packId", "packVersion",
      "instanceId", "policyVersion", envelope, spans
    from ${given}`);
}

export interface NewOpenDispatch extends SentTo {
  timeoutAt: number | null;
  /** When it is looked at if nobody took it by then. */
  takeBy: number | null;
  /** Handed over in this very transaction, for so long; null while nobody has it. */
  leaseMs: number | null;
}

export async function insertOpenDispatches(
  tx: BatchTransaction,
  rows: readonly NewOpenDispatch[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = { ...SENT_TO, timeoutAt: "float8", takeBy: "float8", leaseMs: "float8" } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.open_dispatches
      (tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, instance_id, handed_at,
       lease_expires_at, timeout_at, due_at)
    select "tenantId", "pipelineId", "stageOrder", "attemptNumber", "stageId", "taskType", "packId", "instanceId",
      case when "leaseMs" is not null then now() end, lease_ends,
      timeout, least(timeout, coalesce(lease_ends, ${fromEpochMs(sql`"takeBy"`)}))
    from ${recordset(rows, shape)}
    cross join lateral (
      select ${fromEpochMs(sql`"timeoutAt"`)} as timeout, now() + "leaseMs" * interval '1 millisecond' as lease_ends
    ) times`);
}

/** Rows come in one order, whoever deletes: two that meet wait for each other and never in a circle. */
export async function deleteOpenDispatches(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<void> {
  if (keys.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    with over as materialized (
      select own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number
      from ${recordset(keys, DISPATCH_KEY)}
      join signalbox.open_dispatches own
        on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
        and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"
      order by own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number
      for update of own
    )
    delete from signalbox.open_dispatches own using over
    where own.tenant_id = over.tenant_id and own.pipeline_id = over.pipeline_id
      and own.stage_order = over.stage_order and own.attempt_number = over.attempt_number`);
}
