import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import type { EventCursor } from "./stored-event.ts";

export interface FeedStanding {
  /** The last event that is not kept any more; undefined while all are. */
  forgotten: EventCursor | undefined;
  /** Every cursor that this database gave stands before it: a transaction that has not begun has no events. */
  frontier: EventCursor;
}

/** From where to where the tenant's feed can be read. */
export async function feedStanding(tx: TenantTransaction): Promise<FeedStanding> {
  const [row] = await queriesOf(tx).execute<{
    frontier: string;
    transaction: string | null;
    ordinal: number;
  }>(sql`
    select pg_snapshot_xmax(pg_current_snapshot()) as frontier, horizon.transaction, horizon.ordinal
    from (select 1) as one left join signalbox.feed_horizons horizon on horizon.tenant_id = ${tx.tenantId}`);
  const transaction = row?.transaction ?? null;
  return {
    forgotten: transaction === null ? undefined : { transaction, ordinal: row?.ordinal ?? 0 },
    frontier: { transaction: String(row?.frontier), ordinal: 0 },
  };
}

export async function hasPipeline(tx: TenantTransaction, pipelineId: string): Promise<boolean> {
  const found = await queriesOf(tx).execute(sql`
    select 1 from signalbox.pipelines where tenant_id = ${tx.tenantId} and pipeline_id = ${pipelineId}`);
  return found.length > 0;
}
