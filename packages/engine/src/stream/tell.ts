import type { FeedEvent } from "@signalbox/core";
import { type BatchTransaction, insertEvents, type NewEvent, type TenantTransaction } from "@signalbox/db";

export const eventRow = (tenantId: string, { kind, pipelineId, data }: FeedEvent): NewEvent => ({
  tenantId,
  pipelineId,
  kind,
  payload: JSON.stringify(data),
});

/** Tells the tenant's readers what happened, in the transaction in which it does: they hear of it once it commits. */
export const tell = (tx: TenantTransaction, ...events: FeedEvent[]): Promise<void> =>
  insertEvents(
    tx,
    events.map((event) => eventRow(tx.tenantId, event)),
  );

/** The same for events of several tenants. */
export const tellBatch = (
  tx: BatchTransaction,
  events: readonly { readonly tenantId: string; readonly event: FeedEvent }[],
): Promise<void> =>
  insertEvents(
    tx,
    events.map(({ tenantId, event }) => eventRow(tenantId, event)),
  );
