import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { readMoment } from "../schema/columns.ts";

export interface ListedSapTask {
  taskId: string;
  capability: string;
  territory: string | null;
  pipelineId: string | null;
  fingerprint: string;
  submittedByType: number;
  submittedBy: string;
  door: string;
  receivedAt: Date;
  /** Of the Result that counts. */
  status: string;
  alignment: string;
  /** The cache answered. */
  hit: boolean;
}

export interface SapTaskCursor {
  receivedAt: string;
  taskId: string;
}

/** The newest first, each with what its Result says now; outputs may be long and stay where they are. */
export async function listSapTasks(
  tx: TenantTransaction,
  { after, limit }: { after?: SapTaskCursor | undefined; limit: number },
): Promise<ListedSapTask[]> {
  const found = await queriesOf(tx).execute<
    Omit<ListedSapTask, "receivedAt"> & { receivedAt: string } & Record<string, unknown>
  >(sql`
    select own.task_id as "taskId", own.capability, own.territory, own.pipeline_id as "pipelineId",
      encode(own.fingerprint, 'hex') as fingerprint, own.submitted_by_type as "submittedByType",
      own.submitted_by as "submittedBy", own.door, own.received_at as "receivedAt", last.status, last.alignment, last.hit
    from (
      select * from signalbox.sap_tasks
      where tenant_id = ${tx.tenantId}
        ${
          after === undefined
            ? sql``
            : sql`and (received_at, task_id) < (${after.receivedAt}::timestamptz, ${after.taskId}::uuid)`
        }
      order by received_at desc, task_id desc limit ${limit}
    ) own
    cross join lateral (
      select status, result::json #>> '{constitutionalEvidence,alignment}' as alignment,
        coalesce(result::json #>> '{constitutionalEvidence,cache,hit}' = 'true', false) as hit
      from signalbox.sap_results
      where tenant_id = own.tenant_id and task_id = own.task_id order by revision desc limit 1
    ) last
    order by own.received_at desc, own.task_id desc`);
  return Array.from(found, ({ receivedAt, ...task }) => ({ ...task, receivedAt: readMoment(receivedAt) }));
}

export interface ListedSapCacheRecord {
  recordId: string;
  cacheKey: string;
  sapVersion: string;
  capability: string;
  territory: string | null;
  fingerprint: string;
  taskId: string;
  producer: string;
  alignment: string;
  digest: string;
  storedAt: Date;
  /** A newer record stands under the same key; no task is answered with this one any more. */
  replaced: boolean;
}

export interface SapCacheCursor {
  storedAt: string;
  recordId: string;
}

/** The newest first. */
export async function listSapCacheRecords(
  tx: TenantTransaction,
  { after, limit }: { after?: SapCacheCursor | undefined; limit: number },
): Promise<ListedSapCacheRecord[]> {
  const found = await queriesOf(tx).execute<
    Omit<ListedSapCacheRecord, "storedAt"> & { storedAt: string } & Record<string, unknown>
  >(sql`
    select own.record_id as "recordId", own.cache_key as "cacheKey", own.sap_version as "sapVersion",
      task.capability, task.territory, encode(own.fingerprint, 'hex') as fingerprint, own.task_id as "taskId",
      own.producer, own.alignment, encode(own.digest, 'hex') as digest, own.stored_at as "storedAt",
      exists (
        select 1 from signalbox.sap_cache_records later
        where later.tenant_id = own.tenant_id and later.cache_key = own.cache_key
          and later.sap_version = own.sap_version
          and (later.stored_at, later.record_id) > (own.stored_at, own.record_id)
      ) as replaced
    from (
      select * from signalbox.sap_cache_records
      where tenant_id = ${tx.tenantId}
        ${
          after === undefined
            ? sql``
            : sql`and (stored_at, record_id) < (${after.storedAt}::timestamptz, ${after.recordId}::uuid)`
        }
      order by stored_at desc, record_id desc limit ${limit}
    ) own
    join signalbox.sap_tasks task on task.tenant_id = own.tenant_id and task.task_id = own.task_id
    order by own.stored_at desc, own.record_id desc`);
  return Array.from(found, ({ storedAt, ...record }) => ({ ...record, storedAt: readMoment(storedAt) }));
}
