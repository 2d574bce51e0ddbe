import { type AlertCursor, listAlerts as listRows, type StoredAlert } from "@signalbox/db";
import { authorise } from "./authorise.ts";
import { type PageRequest, readLimit, refuseCursor, writeCursor } from "./page.ts";
import { readFeedCursor } from "./stream/fed-event.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

/** What needs somebody's eye, as readers of the stream were told it. */
export type AlertView = {
  readonly alertId: string;
  readonly alert: string;
  readonly detail: string;
  readonly pipelineId: string | null;
  readonly raisedAt: Date;
};
export type AlertPage = { readonly alerts: readonly AlertView[]; readonly nextCursor: string | undefined };

/** The latest first, for as long as the feed keeps them. */
export async function listAlerts(system: System, { caller }: Asked, page: PageRequest): Promise<AlertPage> {
  authorise(caller, "alert.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : cursorOf(page.cursor, caller.tenantId);
  const { alerts, next } = await transact(system, caller.tenantId, (tx) => listRows(tx, { limit, after }));
  return {
    alerts: alerts.map(viewOf),
    nextCursor: next && writeCursor([caller.tenantId, next.transaction, String(next.ordinal)]),
  };
}

function cursorOf(cursor: string, tenantId: string): AlertCursor {
  const read = readFeedCursor(cursor);
  if (read === undefined || read.tenantId !== tenantId) throw refuseCursor();
  return read;
}

function viewOf({ transaction, ordinal, pipelineId, recordedAt, payload }: StoredAlert): AlertView {
  const told: { alert: string; detail: string } = JSON.parse(payload);
  return {
    alertId: `${transaction}.${ordinal}`,
    alert: told.alert,
    detail: told.detail,
    pipelineId,
    raisedAt: recordedAt,
  };
}
