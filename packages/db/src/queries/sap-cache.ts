import { type SQL, sql } from "drizzle-orm";
import { type BatchTransaction, queriesOf } from "../database.ts";
import { epochMs, recordset } from "./recordset.ts";

export interface SapCacheKey {
  tenantId: string;
  cacheKey: string;
  sapVersion: string;
}

export interface NewSapCacheRecord extends SapCacheKey {
  taskId: string;
  producer: string;
  alignment: string;
  fingerprint: string;
  digest: string;
  record: string;
}

const CACHE_KEY = { tenantId: "text", cacheKey: "text", sapVersion: "text" } as const;

export async function insertSapCacheRecords(
  tx: BatchTransaction,
  rows: readonly NewSapCacheRecord[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const shape = {
    ...CACHE_KEY,
    taskId: "uuid",
    producer: "text",
    alignment: "text",
    fingerprint: "text",
    digest: "text",
  } as const;
  await queriesOf(tx).execute(sql`
    insert into signalbox.sap_cache_records
      (tenant_id, cache_key, sap_version, task_id, producer, alignment, fingerprint, digest, record)
    select "tenantId", "cacheKey", "sapVersion", "taskId", producer, alignment, decode(fingerprint, 'hex'),
      decode(digest, 'hex'), record
    from ${recordset(rows, shape, ["record"])}`);
}

export interface StoredSapCacheRecord extends SapCacheKey {
  storedAt: number;
  producer: string;
  alignment: string;
  fingerprint: string;
  record: string;
}

/** The newest of each key. */
export const newestSapCacheRecords = (
  tx: BatchTransaction,
  keys: readonly SapCacheKey[],
): Promise<StoredSapCacheRecord[]> => cacheRecords(tx, keys, sql`limit 1`);

/** Those that stand behind the newest of each key, the newer first, and no more than these: each has its whole output. */
export const earlierSapCacheRecords = async (
  tx: BatchTransaction,
  keys: readonly SapCacheKey[],
): Promise<StoredSapCacheRecord[]> =>
  (await cacheRecords(tx, keys, sql`limit 7 offset 1`)).toSorted(
    (one, other) => other.storedAt - one.storedAt,
  );

async function cacheRecords(
  tx: BatchTransaction,
  keys: readonly SapCacheKey[],
  which: SQL,
): Promise<StoredSapCacheRecord[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<StoredSapCacheRecord & Record<string, unknown>>(sql`
    select given."tenantId", given."cacheKey", given."sapVersion", newest.*
    from ${recordset(keys, CACHE_KEY)}
    cross join lateral (
      select ${epochMs(sql`own.stored_at`)} as "storedAt", own.producer, own.alignment,
        encode(own.fingerprint, 'hex') as fingerprint, own.record
      from signalbox.sap_cache_records own
      where own.tenant_id = given."tenantId" and own.cache_key = given."cacheKey"
        and own.sap_version = given."sapVersion"
      order by own.stored_at desc, own.record_id desc ${which}
    ) newest`);
  return Array.from(found);
}
