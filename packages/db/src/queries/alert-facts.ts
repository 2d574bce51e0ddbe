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
  since: number | null;
}
export interface OpenBreaker {
  packId: string;
  taskType: string;
  state: string;
}

/** Open questions are read by `escalations_open`, and of those of a day by `escalations_by_opening`, the latest thousands. */
export async function findAlertFacts(
  tx: TenantTransaction,
  { most, percentile }: { most: number; percentile: number },
): Promise<StoredAlertFacts> {
  const [found] = await queriesOf(tx).execute<StoredAlertFacts & Record<string, unknown>>(sql`
    with waiting as (
      select opened_at, cause, row_number() over (order by opened_at, pipeline_id, number) as place
      from (
        select * from signalbox.escalations where tenant_id = ${tx.tenantId} and closed_at is null
        order by opened_at, pipeline_id, number limit 1000
      ) as oldest
    ), answered as (
      select extract(epoch from closed_at - opened_at) * 1000 as took
      from (
        select * from signalbox.escalations
        where tenant_id = ${tx.tenantId} and opened_at > now() - interval '1 day'
        order by opened_at desc, pipeline_id desc, number desc limit 5000
      ) as latest
      where closed_at is not null and closing->>'kind' = 'resolved'
    )
    select ${epochMs(sql`now()`)} as now,
      (select count(*)::int from waiting) as open,
      ${epochMs(sql`(select opened_at from waiting where place = ${most + 1}::int)`)} as "tooManySince",
      (select count(*)::int from waiting where cause = 'dispatch-refused') as refused,
      ${epochMs(sql`(select min(opened_at) from waiting where cause = 'dispatch-refused')`)} as "refusedSince",
      (select count(*)::int from answered) as answered,
      (select percentile_cont(${percentile}::float8) within group (order by took) from answered)::float8 as "slowMs"`);
  if (found === undefined) throw new Error("a query of facts gave no row");
  return found;
}

/**
 * Packs none of whose instances can work, whoever ends its work apart. An instance that says itself that it is ill says so
 * with every heartbeat, and not since when.
 */
export async function listSilentPacks(
  tx: TenantTransaction,
  { unhealthy, limit }: { unhealthy: number; limit: number },
): Promise<SilentPack[]> {
  const found = await queriesOf(tx).execute<SilentPack & Record<string, unknown>>(sql`
    select pack_id as "packId", count(*)::int as instances,
      ${epochMs(sql`case when bool_and(lease_expires_at <= now() or quarantined_at is not null)
        then max(least(lease_expires_at, quarantined_at)) end`)} as since
    from signalbox.instances where tenant_id = ${tx.tenantId} and not draining
    group by pack_id
    having bool_and(lease_expires_at <= now() or quarantined_at is not null or health = ${unhealthy}::int)
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
