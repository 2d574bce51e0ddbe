import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { ALERTS } from "../schema/events.ts";
import { readMoment } from "../schema/columns.ts";

export interface StoredAlert {
  transaction: string;
  ordinal: number;
  pipelineId: string | null;
  recordedAt: Date;
  payload: string;
}
export type AlertCursor = Pick<StoredAlert, "transaction" | "ordinal">;

/** What the feed still keeps, the latest first; `transaction` has been read as a number before it comes here. */
export async function listAlerts(
  tx: TenantTransaction,
  { limit, after }: { limit: number; after?: AlertCursor | undefined },
): Promise<{ alerts: StoredAlert[]; next: AlertCursor | undefined }> {
  const earlier = after
    ? sql`and (transaction, ordinal) < (${after.transaction}::xid8, ${after.ordinal}::int)`
    : sql``;
  const found = await queriesOf(tx).execute<
    Omit<StoredAlert, "recordedAt"> & { recordedAt: unknown } & Record<string, unknown>
  >(sql`
    select transaction::text as transaction, ordinal, pipeline_id as "pipelineId", recorded_at as "recordedAt", payload
    from signalbox.events where tenant_id = ${tx.tenantId} and ${ALERTS} ${earlier}
    order by signalbox.events.transaction desc, ordinal desc limit ${limit + 1}`);
  const shown = found.slice(0, limit).map(({ transaction, ordinal, pipelineId, recordedAt, payload }) => ({
    transaction,
    ordinal,
    pipelineId,
    recordedAt: readMoment(recordedAt),
    payload,
  }));
  const last = shown.at(-1);
  return {
    alerts: shown,
    next: found.length > limit && last ? { transaction: last.transaction, ordinal: last.ordinal } : undefined,
  };
}
