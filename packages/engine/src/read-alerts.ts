import { HealthStatus } from "@signalbox/contracts";
import {
  type AlertCondition,
  alertConditions,
  ANSWERED_AT_LEAST,
  BACKLOG_ABOVE,
  breakerPhase,
  otherRefusals,
  readBreakerState,
  readPublishedDocument,
} from "@signalbox/core";
import {
  type AlertCursor,
  findActiveDocument,
  findAlertFacts,
  listAlerts as listRows,
  listOpenBreakers,
  listSilentPacks,
  type OpenBreaker,
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
    findAlertFacts(tx, { most: BACKLOG_ABOVE, percentile: ANSWERED_AT_LEAST, without: otherRefusals }),
    listSilentPacks(tx, { healthy: HealthStatus.HEALTHY, limit: MOST_NAMED }),
    listOpenBreakers(tx, MOST_NAMED),
  ]);
  const openBreakers = breakers.length === 0 ? [] : await stillOpen(tx, breakers, found.now);
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

/** ALERT-5: what nobody dispatches to any more stays open in its row; by the policy in force it may be tried again. */
async function stillOpen(tx: TenantTransaction, breakers: readonly OpenBreaker[], now: number) {
  const active = await findActiveDocument(tx, "routing-policy");
  const read = active && readPublishedDocument("routing-policy", active.document);
  if (read?.kind !== "valid") return [];
  const { circuitBreaker } = read.document.admission;
  return breakers.flatMap(({ state, ...of }) => {
    const known = readBreakerState(state);
    const isOpen = breakerPhase(known, circuitBreaker, now) === "open";
    return known.kind === "open" && isOpen ? [{ ...of, since: known.openedAt }] : [];
  });
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
