import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { recordset } from "./recordset.ts";

/** Whose tasks they are, and by which door they came: answers go where the question came from. */
export interface SapSenderKey {
  submittedBy: string;
  door: string;
}

export interface ReportedSapResult {
  /** Its place among those that were asked for. */
  place: number;
  result: string;
}

/** Of these Results those of the sender's tasks, in their order. One that names no revision is the one that counts. */
export async function sapResultsReported(
  tx: TenantTransaction,
  { submittedBy, door }: SapSenderKey,
  wanted: readonly { taskId: string; revision: number | null }[],
): Promise<ReportedSapResult[]> {
  if (wanted.length === 0) {
    return [];
  }
  const rows = wanted.map((one, place) => Object.assign({ place }, one));
  const found = await queriesOf(tx).execute<ReportedSapResult & Record<string, unknown>>(sql`
    select given.place, told.result
    from ${recordset(rows, { place: "int", taskId: "uuid", revision: "int" })}
    join signalbox.sap_tasks task on task.tenant_id = ${tx.tenantId} and task.task_id = given."taskId"
      and task.submitted_by = ${submittedBy} and task.door = ${door}
    cross join lateral (
      select own.result from signalbox.sap_results own
      where own.tenant_id = ${tx.tenantId} and own.task_id = given."taskId"
        and (given.revision is null or own.revision = given.revision)
      order by own.revision desc limit 1
    ) told
    order by given.place`);
  return Array.from(found);
}

/** The Result that counts of each of the sender's tasks that came of late, those that came first first. */
export async function lateSapResults(
  tx: TenantTransaction,
  { submittedBy, door }: SapSenderKey,
  { seconds, most }: { seconds: number; most: number },
): Promise<string[]> {
  const found = await queriesOf(tx).execute<{ result: string }>(sql`
    select told.result
    from (
      select task.task_id, task.received_at from signalbox.sap_tasks task
      where task.tenant_id = ${tx.tenantId} and task.received_at > now() - make_interval(secs => ${seconds})
        and task.submitted_by = ${submittedBy} and task.door = ${door}
      order by task.received_at desc, task.task_id desc limit ${most}
    ) late
    cross join lateral (
      select own.result from signalbox.sap_results own
      where own.tenant_id = ${tx.tenantId} and own.task_id = late.task_id
      order by own.revision desc limit 1
    ) told
    order by late.received_at, late.task_id`);
  return Array.from(found, ({ result }) => result);
}
