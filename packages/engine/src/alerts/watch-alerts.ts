import { HealthStatus } from "@signalbox/contracts";
import {
  alertFired,
  alertRaisedEvent,
  alertResolved,
  alertResolvedEvent,
  redactRationale,
  stepAlerts,
} from "@signalbox/core";
import {
  claimAlertWatches,
  deleteFiredAlerts,
  dueAlertWatches,
  insertFiredAlerts,
  listFiredAlerts,
  lockAlertWatch,
  type TenantTransaction,
} from "@signalbox/db";
import { redactorInForce } from "../documents/redactor-in-force.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { System } from "../system.ts";
import { reach, transact } from "../transaction.ts";
import { judgeConditions } from "./alert-conditions.ts";

const ROUND_MS = 5_000;
/** What holds is sustained for minutes, but for a breaker that opened. */
const EVERY_MS = 15_000;
const TENANTS_AT_ONCE = 100;
const MOST_NAMED = 1_000;
/** No request asked for it. */
const requestId = "alerts";

export type AlertRound = { readonly fired: number; readonly resolved: number };

/**
 * ALERT-7: puts on record what began to hold and what holds no more, tenant by tenant. Any node may; of a tenant one at a time
 * does, under its row, so that each is written once. A tenant that was claimed and could not be judged is looked at again later.
 */
export async function watchAlerts(
  system: System,
  onFailure: (reason: unknown) => void,
  everyMs = EVERY_MS,
): Promise<AlertRound> {
  const due = await reach(system, () =>
    dueAlertWatches(system.database, { everyMs, healthy: HealthStatus.HEALTHY, total: TENANTS_AT_ONCE }),
  );
  const round = { fired: 0, resolved: 0 };
  if (due.length === 0) return round;
  const claimed = await reach(system, () =>
    system.database.inTenants(due, (tx) => claimAlertWatches(tx, everyMs)),
  );
  for (const tenantId of claimed) {
    try {
      const { fired, resolved } = await transact(system, tenantId, (tx) => watchOne(system, tx));
      round.fired += fired;
      round.resolved += resolved;
    } catch (error) {
      onFailure(error);
    }
  }
  return round;
}

async function watchOne(system: System, tx: TenantTransaction): Promise<AlertRound> {
  await lockAlertWatch(tx);
  const [judged, known] = await Promise.all([judgeConditions(tx, MOST_NAMED), listFiredAlerts(tx)]);
  const { fires, resolves } = stepAlerts(known, judged, judged.now);
  if (fires.length + resolves.length === 0) return { fired: 0, resolved: 0 };
  const redactor = await redactorInForce(system, tx);
  const context = { tenantId: tx.tenantId, requestId };
  const said = fires.map((condition) => ({
    condition,
    detail: redactRationale(redactor, condition.detail),
  }));
  await Promise.all([
    insertFiredAlerts(
      tx,
      said.map(({ condition: { alert, subject, packId }, detail }) => ({ alert, subject, packId, detail })),
    ),
    deleteFiredAlerts(tx, resolves),
    record(
      tx,
      ...resolves.map((one) => alertResolved(context, one)),
      ...said.map(({ condition, detail }) => alertFired(context, condition, detail)),
    ),
    tell(
      tx,
      ...resolves.map(({ alert, detail }) => alertResolvedEvent(alert, detail)),
      ...said.map(({ condition: { alert }, detail }) =>
        alertRaisedEvent(alert, { pipelineId: null, detail }),
      ),
    ),
  ]);
  return { fired: fires.length, resolved: resolves.length };
}

export function keepAlerts(system: System, onFailure: (reason: unknown) => void): () => void {
  let running = false;
  return system.clock.repeat(ROUND_MS, () => {
    if (running) return;
    running = true;
    watchAlerts(system, onFailure)
      .catch(onFailure)
      .finally(() => {
        running = false;
      });
  });
}
