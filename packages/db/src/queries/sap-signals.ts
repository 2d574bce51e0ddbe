import { sql, type SQL } from "drizzle-orm";
import {
  connectionOf,
  queriesOf,
  type BatchTransaction,
  type Database,
  type TenantTransaction,
} from "../database.ts";
import { readMoment } from "../schema/columns.ts";
import { recordset } from "./recordset.ts";

export interface NewSapSignal {
  tenantId: string;
  kind: string;
  capability: string;
  /** Empty where the task named none. */
  territory: string;
  fingerprint: string;
  taskId: string | null;
  ratedBy: string | null;
  signal: string;
}

export async function insertSapSignals(tx: BatchTransaction, rows: readonly NewSapSignal[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(signalsInsert(rows));
}

/** Of one row at least. */
export function signalsInsert(rows: readonly NewSapSignal[]): SQL {
  const shape = {
    tenantId: "text",
    kind: "text",
    capability: "text",
    territory: "text",
    fingerprint: "text",
    taskId: "uuid",
    ratedBy: "text",
  } as const;
  return sql`
    insert into signalbox.sap_signals
      (tenant_id, kind, capability, territory, fingerprint, task_id, rated_by, signal)
    select "tenantId", kind, capability, territory, decode(fingerprint, 'hex'), "taskId", "ratedBy", signal
    from ${recordset(rows, shape, ["signal"])}`;
}

/** Tenants with signals that nobody learnt from yet, whosever they are. */
export async function dueLearners(database: Database, total: number): Promise<string[]> {
  const rows = await connectionOf(database).read(sql`select tenant_id from signalbox.due_learners(${total})`);
  return rows.map((row) => String(row["tenant_id"]));
}

export interface StoredSapSignal extends NewSapSignal {
  transaction: string;
  signalId: string;
  recordedAt: Date;
}

type Learner = Record<string, unknown> & { transaction: string; signalId: string };

/**
 * The tenant's signals that come next, in their order; none where another node is at them. The learner's row is held
 * until the transaction ends, so that each is given once. Below the oldest transaction that still runs nothing can come
 * any more: no signal is passed.
 */
export async function takeSapSignals(tx: TenantTransaction, limit: number): Promise<StoredSapSignal[]> {
  const queries = queriesOf(tx);
  const [held] = await queries.execute<Learner>(sql`
    select transaction, signal_id as "signalId" from signalbox.sap_learners
    where tenant_id = ${tx.tenantId} for update skip locked`);
  const [learner = held] = await (held === undefined
    ? queries.execute<Learner>(sql`
        insert into signalbox.sap_learners (tenant_id) values (${tx.tenantId})
        on conflict do nothing returning transaction, signal_id as "signalId"`)
    : []);
  if (learner === undefined) {
    return [];
  }
  const found = await queries.execute<
    Omit<StoredSapSignal, "recordedAt"> & { recordedAt: string } & Record<string, unknown>
  >(sql`
    select tenant_id as "tenantId", transaction, signal_id as "signalId", kind, capability, territory,
      encode(fingerprint, 'hex') as fingerprint, task_id as "taskId", rated_by as "ratedBy", signal,
      recorded_at as "recordedAt"
    from signalbox.sap_signals
    where tenant_id = ${tx.tenantId}
      and (transaction, signal_id) > (${learner.transaction}::xid8, ${learner.signalId}::uuid)
      and transaction < pg_snapshot_xmin(pg_current_snapshot())
    order by transaction, signal_id limit ${limit}`);
  return Array.from(found, ({ recordedAt, ...signal }) => ({
    ...signal,
    recordedAt: readMoment(recordedAt),
  }));
}

/** Notes up to where was learnt; by whoever holds the learner's row. */
export async function noteLearnt(
  tx: TenantTransaction,
  { transaction, signalId }: Pick<StoredSapSignal, "transaction" | "signalId">,
): Promise<void> {
  await queriesOf(tx).execute(sql`
    update signalbox.sap_learners
    set transaction = ${transaction}::xid8, signal_id = ${signalId}::uuid, learnt_at = now()
    where tenant_id = ${tx.tenantId}`);
}

export interface StoredRating {
  taskId: string;
  ratedBy: string;
  signal: string;
  recordedAt: Date;
}

type RatingRow = Record<string, unknown> & {
  taskId: string;
  ratedBy: string;
  signal: string;
  recordedAt: string;
};
const ratingOf = ({ recordedAt, taskId, ratedBy, signal }: RatingRow): StoredRating => ({
  taskId,
  ratedBy,
  signal,
  recordedAt: readMoment(recordedAt),
});

/** Of each person the last word on a result. */
const lastWords = (tenantId: string, taskId: SQL) => sql`
  select distinct on (own.rated_by) own.task_id as "taskId", own.rated_by as "ratedBy", own.signal,
    own.recorded_at as "recordedAt", own.transaction > pg_current_xact_id_if_assigned() as later
  from signalbox.sap_signals own
  where own.tenant_id = ${tenantId} and own.task_id = ${taskId} and own.kind = 'rating'
  order by own.rated_by, own.transaction desc, own.signal_id desc`;

/**
 * Holds what people say of this result until the transaction ends, and gives the last word of each. Undefined where one of
 * them was written by a transaction that began later than this one: what is written now would count as the earlier one.
 */
export async function takeRatings(
  tx: TenantTransaction,
  taskId: string,
): Promise<StoredRating[] | undefined> {
  const name = JSON.stringify([tx.tenantId, taskId.toLowerCase()]);
  await queriesOf(tx).execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 19))`);
  const found = await queriesOf(tx).execute<RatingRow & { later: boolean | null }>(
    lastWords(tx.tenantId, sql`${taskId}::uuid`),
  );
  return found.some(({ later }) => later === true) ? undefined : Array.from(found, ratingOf);
}

/** What people say of these results: of each person the last word, the newest first. */
export async function ratingsOf(tx: TenantTransaction, taskIds: readonly string[]): Promise<StoredRating[]> {
  if (taskIds.length === 0) {
    return [];
  }
  const rows = taskIds.map((taskId) => ({ taskId }));
  const found = await queriesOf(tx).execute<RatingRow>(sql`
    select last.* from ${recordset(rows, { taskId: "uuid" })}
    cross join lateral (${lastWords(tx.tenantId, sql`given."taskId"`)} limit 100) last
    order by last."recordedAt" desc`);
  return Array.from(found, ratingOf);
}
