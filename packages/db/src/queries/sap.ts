import { sql, type SQL } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { PIPELINE_KEY, type PipelineKey } from "./keys.ts";
import { epochMs, recordset } from "./recordset.ts";
import { type NewSapSignal, signalsInsert } from "./sap-signals.ts";

export interface SapTaskKey {
  tenantId: string;
  /** A UUID in any case. */
  taskId: string;
}

export interface NewSapTask extends SapTaskKey {
  parentTaskId: string | null;
  capability: string;
  territory: string | null;
  pipelineId: string | null;
  cacheKey: string;
  /** In hexadecimal, as all digests here. */
  fingerprint: string;
  digest: string;
  masked: boolean;
  /** Of one that was masked: by what it is known as it was sent. */
  sentFingerprint: string | null;
  submittedByType: number;
  submittedBy: string;
  door: string;
  task: string;
}

const TASK_KEY = { tenantId: "text", taskId: "uuid" } as const;

/** Gives the ids of those that were not there, as PostgreSQL prints them. */
export async function insertSapTasks(
  tx: BatchTransaction,
  rows: readonly NewSapTask[],
): Promise<SapTaskKey[]> {
  if (rows.length === 0) {
    return [];
  }
  const kept = await queriesOf(tx).execute<SapTaskKey & Record<string, unknown>>(tasksInsert(rows));
  return Array.from(kept);
}

function tasksInsert(rows: readonly NewSapTask[]): SQL {
  const shape = {
    ...TASK_KEY,
    parentTaskId: "uuid",
    capability: "text",
    territory: "text",
    pipelineId: "text",
    cacheKey: "text",
    fingerprint: "text",
    digest: "text",
    masked: "boolean",
    sentFingerprint: "text",
    submittedByType: "int",
    submittedBy: "text",
    door: "text",
  } as const;
  return sql`
    insert into signalbox.sap_tasks
      (tenant_id, task_id, parent_task_id, capability, territory, pipeline_id, cache_key, fingerprint, digest, masked,
       sent_fingerprint, submitted_by_type, submitted_by, door, task)
    select "tenantId", "taskId", "parentTaskId", capability, territory, "pipelineId", "cacheKey",
      decode(fingerprint, 'hex'), decode(digest, 'hex'), masked,
      decode("sentFingerprint", 'hex'), "submittedByType", "submittedBy", door, task
    from ${recordset(rows, shape, ["task"])}
    order by 1, 2
    on conflict do nothing
    returning tenant_id as "tenantId", task_id as "taskId"`;
}

/**
 * What was asked, answered and learnt of tasks that were answered at once, in one statement: each of its own would cost a
 * hit a tenth of its time. Gives the tasks that were not there.
 */
export async function insertSapAnswers(
  tx: BatchTransaction,
  {
    tasks,
    results,
    signals,
  }: {
    tasks: readonly NewSapTask[];
    results: readonly NewSapResult[];
    signals: readonly NewSapSignal[];
  },
): Promise<SapTaskKey[]> {
  const kept = await queriesOf(tx).execute<SapTaskKey & Record<string, unknown>>(sql`
    with kept as (${tasksInsert(tasks)}), told as (${resultsInsert(results)}), heard as (${signalsInsert(signals)})
    select "tenantId", "taskId" from kept`);
  return Array.from(kept);
}

export interface StoredSapTask extends SapTaskKey {
  pipelineId: string | null;
  cacheKey: string;
  fingerprint: string;
  digest: string;
  masked: boolean;
  /** Null too of what was kept before there were such. */
  sentFingerprint: string | null;
  submittedByType: number;
  submittedBy: string;
  capability: string;
  territory: string | null;
  task: string;
}

const TASK_COLUMNS = sql`own.tenant_id as "tenantId", own.task_id as "taskId", own.pipeline_id as "pipelineId",
  own.cache_key as "cacheKey", encode(own.fingerprint, 'hex') as fingerprint, encode(own.digest, 'hex') as digest,
  own.masked, encode(own.sent_fingerprint, 'hex') as "sentFingerprint", own.submitted_by_type as "submittedByType", own.submitted_by as "submittedBy", own.capability, own.territory, own.task`;

export async function findSapTasks(
  tx: BatchTransaction,
  keys: readonly SapTaskKey[],
): Promise<StoredSapTask[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<StoredSapTask & Record<string, unknown>>(sql`
    select ${TASK_COLUMNS} from ${recordset(keys, TASK_KEY)}
    join signalbox.sap_tasks own on own.tenant_id = given."tenantId" and own.task_id = given."taskId"`);
  return Array.from(found);
}

/**
 * Holds the task's name until the transaction ends, and gives it where it is on file. Of two nodes that are given the same
 * task the second waits here, and then finds what the first has kept: the look is a statement of its own, which sees it.
 */
export async function takeSapTask(tx: BatchTransaction, key: SapTaskKey): Promise<StoredSapTask | undefined> {
  const name = JSON.stringify([key.tenantId, key.taskId.toLowerCase()]);
  await queriesOf(tx).execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 16))`);
  const [found] = await findSapTasks(tx, [key]);
  return found;
}

export async function findSapTasksOfPipelines(
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
): Promise<(StoredSapTask & PipelineKey)[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<StoredSapTask & PipelineKey & Record<string, unknown>>(sql`
    select ${TASK_COLUMNS} from ${recordset(keys, PIPELINE_KEY)}
    join signalbox.sap_tasks own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"`);
  return Array.from(found);
}

export interface NewSapResult extends SapTaskKey {
  revision: number;
  status: string;
  digest: string;
  result: string;
}

/** One of a revision that is there already is that one. */
export async function insertSapResults(tx: BatchTransaction, rows: readonly NewSapResult[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(resultsInsert(rows));
}

function resultsInsert(rows: readonly NewSapResult[]): SQL {
  const shape = { ...TASK_KEY, revision: "int", status: "text", digest: "text" } as const;
  return sql`
    insert into signalbox.sap_results (tenant_id, task_id, revision, status, digest, result)
    select "tenantId", "taskId", revision, status, decode(digest, 'hex'), result
    from ${recordset(rows, shape, ["result"])}
    on conflict do nothing`;
}

export interface StoredSapResult extends SapTaskKey {
  revision: number;
  status: string;
  digest: string;
  result: string;
  recordedAt: number;
}

const RESULT_COLUMNS = sql`own.tenant_id as "tenantId", own.task_id as "taskId", own.revision, own.status,
  encode(own.digest, 'hex') as digest, own.result, ${epochMs(sql`own.recorded_at`)} as "recordedAt"`;

/** The one that counts, of each task. */
export async function latestSapResults(
  tx: BatchTransaction,
  keys: readonly SapTaskKey[],
): Promise<StoredSapResult[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<StoredSapResult & Record<string, unknown>>(sql`
    select last.* from ${recordset(keys, TASK_KEY)}
    cross join lateral (
      select ${RESULT_COLUMNS} from signalbox.sap_results own
      where own.tenant_id = given."tenantId" and own.task_id = given."taskId"
      order by own.revision desc limit 1
    ) last`);
  return Array.from(found);
}

/** Every one of a task, the first first; a pipeline has as many as it has changes of status. */
export async function sapResultsOf(
  tx: BatchTransaction,
  key: SapTaskKey,
  most: number,
): Promise<StoredSapResult[]> {
  const found = await queriesOf(tx).execute<StoredSapResult & Record<string, unknown>>(sql`
    select ${RESULT_COLUMNS} from signalbox.sap_results own
    where own.tenant_id = ${key.tenantId} and own.task_id = ${key.taskId}::uuid
    order by own.revision limit ${most}`);
  return Array.from(found);
}

/** The database's time at which the transaction began: what its rows say of themselves. */
export async function transactionTime(tx: BatchTransaction): Promise<number> {
  const [row] = await queriesOf(tx).execute<{ now: number }>(sql`select ${epochMs(sql`now()`)} as now`);
  return timeIn(row);
}

function timeIn(row: { now: number } | undefined): number {
  if (row === undefined) throw new Error("the database does not tell the time");
  return row.now;
}

/** Entries of these types, in the order of the record: what the evidence of a pipeline is read from. */
export async function auditPayloadsOf(
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
  eventTypes: readonly number[],
): Promise<(PipelineKey & { payload: string })[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<PipelineKey & { payload: string } & Record<string, unknown>>(sql`
    select own.tenant_id as "tenantId", own.pipeline_id as "pipelineId", own.payload
    from ${recordset(keys, PIPELINE_KEY)}
    join signalbox.audit_entries own on own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
    where own.event_type = any(${sql.raw(`'{${eventTypes.map(Number).join(",")}}'::int[]`)})
    order by own.recorded_at, own.audit_id`);
  return Array.from(found);
}
