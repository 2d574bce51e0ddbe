import { type SQL, sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction, type Statement } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey, INSTANCE_KEY, type InstanceKey } from "./keys.ts";
import { recordset } from "./recordset.ts";

export interface CancelSignal extends InstanceKey {
  dispatchId: string;
}

const CANCEL_SIGNAL = { ...INSTANCE_KEY, dispatchId: "text" } as const;

export async function insertCancelSignals(
  tx: BatchTransaction,
  rows: readonly CancelSignal[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.cancel_signals (tenant_id, pack_id, instance_id, dispatch_id)
    select "tenantId", "packId", "instanceId", "dispatchId" from ${recordset(rows, CANCEL_SIGNAL)}
    on conflict do nothing`);
}

/** The agents reported these: they need not be told any more. */
export async function deleteCancelSignals(
  tx: BatchTransaction,
  dispatches: readonly (DispatchKey & { dispatchId: string })[],
): Promise<void> {
  if (dispatches.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    with reported as materialized (
      select sent.tenant_id, sent.pack_id, sent.instance_id, given."dispatchId" as dispatch_id
      from ${recordset(dispatches, { ...DISPATCH_KEY, dispatchId: "text" })}
      join signalbox.dispatches sent
        on sent.tenant_id = given."tenantId" and sent.pipeline_id = given."pipelineId"
        and sent.stage_order = given."stageOrder" and sent.attempt_number = given."attemptNumber"
    )
    delete from signalbox.cancel_signals own using reported
    where own.tenant_id = reported.tenant_id and own.pack_id = reported.pack_id
      and own.instance_id = reported.instance_id and own.dispatch_id = reported.dispatch_id`);
}

/** What these instances are to be told; what they were told for `keepMs` is dropped. */
export async function readCancelSignals(
  tx: BatchTransaction,
  instances: readonly InstanceKey[],
  keepMs: number,
): Promise<CancelSignal[]> {
  if (instances.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<CancelSignal & Record<string, unknown>>(
    cancelSignalsOf(instances, keepMs),
  );
  return Array.from(found);
}

/** The same for `commitWith`. */
export const readingOfCancelSignals = (instances: readonly InstanceKey[], keepMs: number): Statement =>
  instances.length === 0 ? undefined : cancelSignalsOf(instances, keepMs);

const cancelSignalsOf = (instances: readonly InstanceKey[], keepMs: number): SQL => sql`
    with named as materialized (
      select own.tenant_id, own.pack_id, own.instance_id, own.dispatch_id,
        own.cancelled_at < now() - ${keepMs}::float8 * interval '1 millisecond' as old
      from ${recordset(instances, INSTANCE_KEY)}
      join signalbox.cancel_signals own on own.tenant_id = given."tenantId" and own.pack_id = given."packId"
        and own.instance_id = given."instanceId"
    ),
    dropped as (
      delete from signalbox.cancel_signals own using named
      where named.old and own.tenant_id = named.tenant_id and own.pack_id = named.pack_id
        and own.instance_id = named.instance_id and own.dispatch_id = named.dispatch_id
    )
    select tenant_id as "tenantId", pack_id as "packId", instance_id as "instanceId", dispatch_id as "dispatchId"
    from named where not old`;
