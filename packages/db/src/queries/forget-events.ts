import { sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";

/** Tenants that have events which are not kept any longer, whosever they are. */
export async function dueFeeds(database: Database, keptHours: number, total: number): Promise<string[]> {
  const rows = await connectionOf(database).read(
    sql`select tenant_id from signalbox.due_feeds(${keptHours}, ${total})`,
  );
  return rows.map((row) => String(row["tenant_id"]));
}

/**
 * Forgets the tenant's oldest events, at most `limit`, and notes up to where: who stands before it is told so. Gives how
 * many went; none where another node is at it.
 */
export async function forgetEvents(
  tx: TenantTransaction,
  { keptHours, limit }: { keptHours: number; limit: number },
): Promise<number> {
  const forgotten = await queriesOf(tx).execute(sql`
    with alone as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('signalbox.forget_events/' || ${tx.tenantId}, 0)) as given
    ), old as materialized (
      select first.transaction, first.ordinal from alone cross join lateral (
        select transaction, ordinal, recorded_at from signalbox.events
        where tenant_id = ${tx.tenantId} order by transaction, ordinal limit ${limit}
      ) as first
      where alone.given and first.recorded_at < now() - make_interval(hours => ${keptHours})
    ), gone as (
      delete from signalbox.events own using old
      where own.tenant_id = ${tx.tenantId} and own.transaction = old.transaction and own.ordinal = old.ordinal
    ), noted as (
      insert into signalbox.feed_horizons as known (tenant_id, transaction, ordinal)
      select ${tx.tenantId}, transaction, ordinal from old order by transaction desc, ordinal desc limit 1
      on conflict (tenant_id) do update set transaction = excluded.transaction, ordinal = excluded.ordinal
        where (excluded.transaction, excluded.ordinal) > (known.transaction, known.ordinal)
    )
    select 1 from old`);
  return forgotten.length;
}
