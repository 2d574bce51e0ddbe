import type { AlertCondition } from "@signalbox/core";
import { type AlertCursor, listAlerts as listRows, type StoredAlert } from "@signalbox/db";
import { judgeConditions } from "./alerts/alert-conditions.ts";
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
/** What holds now, or will if nobody does anything (core's ALERT rules). */
export type AlertConditionView = Omit<AlertCondition, "holdsFrom" | "subject"> & {
  readonly holdsFrom: Date | null;
};
export type AlertPage = {
  readonly alerts: readonly AlertView[];
  /** Of the first page alone: what holds is no history. */
  readonly conditions: readonly AlertConditionView[] | undefined;
  readonly nextCursor: string | undefined;
};

const MOST_NAMED = 100;

/** The latest first, for as long as the feed keeps them. */
export async function listAlerts(system: System, { caller }: Asked, page: PageRequest): Promise<AlertPage> {
  authorise(caller, "alert.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : cursorOf(page.cursor, caller.tenantId);
  const [{ alerts, next }, judged] = await transact(system, caller.tenantId, (tx) =>
    Promise.all([
      listRows(tx, { limit, after }),
      after === undefined ? judgeConditions(tx, MOST_NAMED) : undefined,
    ]),
  );
  return {
    alerts: alerts.map(viewOf),
    conditions: judged?.conditions.map(conditionOf),
    nextCursor: next && writeCursor([caller.tenantId, next.transaction, String(next.ordinal)]),
  };
}

const conditionOf = ({ alert, severity, detail, packId, holdsFrom }: AlertCondition): AlertConditionView => ({
  alert,
  severity,
  detail,
  packId,
  holdsFrom: holdsFrom === null ? null : new Date(holdsFrom),
});

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
