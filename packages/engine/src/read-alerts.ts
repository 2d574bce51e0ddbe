import { HealthStatus } from "@signalbox/contracts";
import {
  type AlertCondition,
  alertConditions,
  ANSWERED_AT_LEAST,
  BACKLOG_ABOVE,
  readBreakerState,
} from "@signalbox/core";
import {
  type AlertCursor,
  findAlertFacts,
  listAlerts as listRows,
  listOpenBreakers,
  listSilentPacks,
  type StoredAlert,
  type TenantTransaction,
} from "@signalbox/db";
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
export type AlertConditionView = Omit<AlertCondition, "holdsFrom"> & { readonly holdsFrom: Date | null };
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
  const [{ alerts, next }, conditions] = await transact(system, caller.tenantId, (tx) =>
    Promise.all([listRows(tx, { limit, after }), after === undefined ? conditionsNow(tx) : undefined]),
  );
  return {
    alerts: alerts.map(viewOf),
    conditions,
    nextCursor: next && writeCursor([caller.tenantId, next.transaction, String(next.ordinal)]),
  };
}

async function conditionsNow(tx: TenantTransaction): Promise<AlertConditionView[]> {
  const [found, silentPacks, breakers] = await Promise.all([
    findAlertFacts(tx, { most: BACKLOG_ABOVE, percentile: ANSWERED_AT_LEAST }),
    listSilentPacks(tx, { unhealthy: HealthStatus.UNHEALTHY, limit: MOST_NAMED }),
    listOpenBreakers(tx, MOST_NAMED),
  ]);
  const openBreakers = breakers.flatMap(({ state, ...of }) => {
    const read = readBreakerState(state);
    return read.kind === "open" ? [{ ...of, since: read.openedAt }] : [];
  });
  const { slowMs, answered } = found;
  const facts = {
    waiting: { open: found.open, fourthOpenedAt: found.tooManySince },
    refused: { open: found.refused, oldestOpenedAt: found.refusedSince },
    silentPacks,
    answers: slowMs === null ? null : { count: answered, slowMs },
    openBreakers,
  };
  return alertConditions(facts, found.now).map(conditionOf);
}

const conditionOf = ({ holdsFrom, ...condition }: AlertCondition): AlertConditionView => ({
  ...condition,
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
