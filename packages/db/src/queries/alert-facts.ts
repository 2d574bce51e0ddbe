import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { epochMs } from "./recordset.ts";

export interface StoredAlertFacts {
  now: number;
  open: number;
  /** When the oldest was opened that is one more than `most`. */
  tooManySince: number | null;
  refused: number;
  refusedSince: number | null;
  answered: number;
  slowMs: number | null;
}
export interface SilentPack {
  packId: string;
  instances: number;
  since: number;
}
export interface OpenBreaker {
  packId: string;
  taskType: string;
  state: string;
}

/**
 * Open questions are read by `escalations_open`, and those that were answered within a day by `escalations_by_closing`, the
 * latest thousands. `without` are the refusals for which it was not candidates that lacked.
 */
export async function findAlertFacts(
  tx: TenantTransaction,
  { most, percentile, without }: { most: number; percentile: number; without: readonly string[] },
): Promise<StoredAlertFacts> {
  const [found] = await queriesOf(tx).execute<StoredAlertFacts & Record<string, unknown>>(sql`
    with waiting as (
      select opened_at, ${nobodyCould(without)} as refused, row_number() over (order by opened_at, pipeline_id, number) as place
      from (
        select * from signalbox.escalations where tenant_id = ${tx.tenantId} and closed_at is null
        order by opened_at, pipeline_id, number limit 1000
      ) as oldest
    ), answered as (
      select extract(epoch from closed_at - opened_at) * 1000 as took
      from (
        select * from signalbox.escalations
        where tenant_id = ${tx.tenantId} and closed_at > now() - interval '1 day'
        order by closed_at desc limit 5000
      ) as latest
      where closing->>'kind' = 'resolved'
    )
    select ${epochMs(sql`now()`)} as now,
      (select count(*)::int from waiting) as open,
      ${epochMs(sql`(select opened_at from waiting where place = ${most + 1}::int)`)} as "tooManySince",
      (select count(*)::int from waiting where refused) as refused,
      ${epochMs(sql`(select min(opened_at) from waiting where refused)`)} as "refusedSince",
      (select count(*)::int from answered) as answered,
      (select percentile_cont(${percentile}::float8) within group (order by took) from answered)::float8 as "slowMs"`);
  if (found === undefined) throw new Error("a query of facts gave no row");
  return found;
}

/** What was refused before it was kept why counts. */
const nobodyCould = (without: readonly string[]) =>
  sql`cause = 'dispatch-refused' and coalesce(refusal not in ${without}, true)`;

/**
 * Packs none of whose instances is there and HEALTHY, whoever ends its work apart, with since when. `unwell_since` is empty
 * of one that was not heard of since it is kept.
 */
export async function listSilentPacks(
  tx: TenantTransaction,
  { healthy, limit }: { healthy: number; limit: number },
): Promise<SilentPack[]> {
  const found = await queriesOf(tx).execute<SilentPack & Record<string, unknown>>(sql`
    select pack_id as "packId", count(*)::int as instances,
      ${epochMs(sql`max(out_since)`)} as since
    from (
      select pack_id, least(case when lease_expires_at <= now() then lease_expires_at end, quarantined_at,
        case when health <> ${healthy}::int then coalesce(unwell_since, heard_at) end) as out_since
      from signalbox.instances where tenant_id = ${tx.tenantId} and not draining
    ) as own
    group by pack_id having bool_and(out_since is not null)
    order by pack_id limit ${limit}`);
  return Array.from(found);
}

/** Of each pair that was ever tried there is a row, and few of them are open. */
export async function listOpenBreakers(tx: TenantTransaction, limit: number): Promise<OpenBreaker[]> {
  const found = await queriesOf(tx).execute<OpenBreaker & Record<string, unknown>>(sql`
    select pack_id as "packId", task_type as "taskType", state::text as state from signalbox.breakers
    where tenant_id = ${tx.tenantId} and state->>'kind' = 'open' order by pack_id, task_type limit ${limit}`);
  return Array.from(found);
}
