import type { HealthStatus } from "@signalbox/contracts";
import {
  alertRaisedEvent,
  decideStanding,
  effectiveHealth,
  instanceEvent,
  type StandingDecision,
  type StandingEvent,
  standingChanged,
} from "@signalbox/core";
import {
  type BatchTransaction,
  type InstanceKey,
  type LockedStanding,
  lockStandings,
  saveStanding,
} from "@signalbox/db";
import { recordBatch } from "../record.ts";
import { tellBatch } from "../stream/tell.ts";
import { healthStatusOf, standingOf } from "./stored-rows.ts";

export type StandingItem = InstanceKey & {
  event: StandingEvent;
  /** Ties the entry to what it came of: a trace where there is one, else the request. */
  requestId: string;
};

/** With its health as it is from now on; undefined for an instance that is not known any more. */
export type AppliedStanding = (StandingDecision & { readonly health: HealthStatus }) | undefined;

/**
 * Decides the items one after another, writes the standings that changed, puts quarantines, restorations and probations
 * that were passed on record (D7) and tells readers of them, all in the caller's transaction. `changes` are the registry's,
 * taken before any other lock. A valid result comes here only to end a probation: else `clearInvalidCounts` touches those alone
 * who have a row of invalid ones.
 */
export async function applyStanding(
  tx: BatchTransaction,
  {
    changes,
    now,
    items,
  }: { changes: ReadonlyMap<string, number>; now: number; items: readonly StandingItem[] },
): Promise<AppliedStanding[]> {
  const locked = await lockStandings(tx, items);
  const standings = new Map(locked.map((row) => [keyOf(row), { row, standing: standingOf(row) }]));
  const touched = new Set<string>();
  const entries = [];
  const events = [];
  const decisions: AppliedStanding[] = [];
  for (const { event, requestId, ...item } of items) {
    const known = standings.get(keyOf(item));
    const decision = known && decideStanding(known.standing, event, now);
    if (known === undefined || decision === undefined) {
      decisions.push(undefined);
      continue;
    }
    const health = effectiveHealth(decision.standing, healthStatusOf(known.row));
    decisions.push({ ...decision, health });
    if (decision.standing === known.standing) continue;
    known.standing = decision.standing;
    touched.add(keyOf(item));
    if (decision.kind === "unchanged" || decision.kind === "counted" || decision.kind === "refused") continue;
    entries.push(standingChanged({ tenantId: item.tenantId, requestId }, item, decision.entry, health));
    events.push({ tenantId: item.tenantId, event: instanceEvent(decision.kind, item, health) });
    if (decision.kind !== "quarantined") continue;
    const detail = `${item.instanceId} of ${item.packId}: ${decision.entry.rationale}`;
    const alert = alertRaisedEvent("agent-quarantined", { pipelineId: null, detail });
    events.push({ tenantId: item.tenantId, event: alert });
  }
  const rows = [...touched].flatMap((key) => {
    const known = standings.get(key);
    return known === undefined
      ? []
      : [{ ...named(known.row), ...known.standing, change: changeOf(changes, known.row) }];
  });
  await Promise.all([saveStanding(tx, rows), recordBatch(tx, entries), tellBatch(tx, events)]);
  return decisions;
}

const keyOf = ({ tenantId, packId, instanceId }: InstanceKey) =>
  JSON.stringify([tenantId, packId, instanceId]);

const named = ({ tenantId, packId, instanceId }: LockedStanding): InstanceKey => ({
  tenantId,
  packId,
  instanceId,
});

function changeOf(changes: ReadonlyMap<string, number>, { tenantId }: InstanceKey): number {
  const change = changes.get(tenantId);
  if (change === undefined) throw new Error("a standing changes in a registry that is not held");
  return change;
}
