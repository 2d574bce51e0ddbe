import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { connectionOf, queriesOf, type BatchTransaction, type Database } from "../database.ts";
import { recordset } from "./recordset.ts";

/** A caller's name for a request: nobody else's is found under it. */
export interface RequestName {
  tenantId: string;
  actorId: string;
  /** As it was sent, and so perhaps a secret in the wrong place (D21): never written. */
  requestKey: string;
}

export interface KeptAnswer {
  digest: Uint8Array;
  answer: string;
  pipeline: { pipelineId: string; status: number } | null;
}

export interface NewKeptAnswer extends RequestName {
  /** In hexadecimal digits. */
  digest: string;
  answer: string;
  pipelineId: string | null;
}

/**
 * What stands in the table for a name. No key that may be sent has a space in it, so that none is taken for another's
 * stored form.
 */
function storedKey({ tenantId, actorId, requestKey }: RequestName): string {
  const name = JSON.stringify([tenantId, actorId, requestKey]);
  return `sha256 ${createHash("sha256").update(name).digest("hex")}`;
}

const NAME = { tenantId: "text", actorId: "text", requestKey: "text" } as const;

/**
 * Holds the name until the transaction ends, and gives what is kept under it. Of two nodes that carry out the same request
 * the second waits here, and then finds what the first has kept: the look is a statement of its own, which sees it.
 * What an older version has kept stands under the key itself; where both are there, the first to be kept is the answer.
 */
export async function takeRequestName(
  tx: BatchTransaction,
  taken: RequestName,
): Promise<KeptAnswer | undefined> {
  const { tenantId, actorId, requestKey } = taken;
  const name = JSON.stringify([tenantId, actorId, requestKey]);
  await queriesOf(tx).execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 22))`);
  const [found] = await queriesOf(tx).execute<{
    digest: Uint8Array;
    answer: string;
    pipeline_id: string | null;
    status: number | null;
  }>(sql`
    select own.digest, own.answer, own.pipeline_id, pipelines.status
    from signalbox.kept_answers own
    left join signalbox.pipelines on pipelines.tenant_id = own.tenant_id and pipelines.pipeline_id = own.pipeline_id
    where own.tenant_id = ${tenantId} and own.actor_id = ${actorId}
      and own.request_key in (${storedKey(taken)}, ${requestKey}) and own.expires_at > now()
    order by own.expires_at limit 1`);
  if (found === undefined) {
    return undefined;
  }
  const { digest, answer, pipeline_id: pipelineId, status } = found;
  return {
    digest,
    answer,
    pipeline: pipelineId === null ? null : { pipelineId, status: status ?? 0 },
  };
}

/** What is still there under a name that was taken has expired. */
export async function insertKeptAnswers(
  tx: BatchTransaction,
  answers: readonly NewKeptAnswer[],
): Promise<void> {
  if (answers.length === 0) {
    return;
  }
  const rows = answers.map((answer) => ({ ...answer, requestKey: storedKey(answer) }));
  const inserted = await queriesOf(tx).execute(sql`
    insert into signalbox.kept_answers (tenant_id, actor_id, request_key, digest, pipeline_id, answer)
    select "tenantId", "actorId", "requestKey", decode(digest, 'hex'), "pipelineId", answer
    from ${recordset(rows, { ...NAME, digest: "text", pipelineId: "text" }, ["answer"])}
    on conflict (tenant_id, actor_id, request_key) do update
      set digest = excluded.digest, answer = excluded.answer, pipeline_id = excluded.pipeline_id,
        expires_at = now() + interval '24 hours'
      where kept_answers.expires_at <= now()
    returning tenant_id`);
  if (inserted.length !== answers.length) {
    throw new Error("a request was carried out under a name that it had not taken");
  }
}

/** Tenants with answers that are kept no longer, at most so many. */
export async function tenantsWithExpiredAnswers(database: Database, most: number): Promise<string[]> {
  const found = await connectionOf(database).read(
    sql`select tenant_id from signalbox.tenants_with_expired_answers(${most})`,
  );
  return Array.from(found, (row) => String(row["tenant_id"]));
}

/** At most `limit` of them; gives how many went. */
export async function forgetKeptAnswers(
  tx: BatchTransaction,
  tenantIds: readonly string[],
  limit: number,
): Promise<number> {
  const rows = tenantIds.map((tenantId) => ({ tenantId }));
  const forgotten = await queriesOf(tx).execute(sql`
    delete from signalbox.kept_answers own using (
      select old.tenant_id, old.actor_id, old.request_key
      from ${recordset(rows, { tenantId: "text" })} join signalbox.kept_answers old on old.tenant_id = given."tenantId"
      where old.expires_at <= now() limit ${limit} for update of old skip locked
    ) as old
    where own.tenant_id = old.tenant_id and own.actor_id = old.actor_id and own.request_key = old.request_key
    returning own.tenant_id`);
  return forgotten.length;
}
