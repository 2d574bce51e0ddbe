import { dueFeeds, forgetEvents } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach, transact } from "../transaction.ts";

/** The feed tells what happens, and keeps none of it for good: that is what the audit record and each resource are for. */
const KEPT_HOURS = 30 * 24;
const EVERY_MS = 60_000;
const TENANTS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 2_000;
/** A round's bound for one tenant: what is left is the next round's, and no tenant keeps the others waiting. */
const MOST_STEPS = 50;

/** Forgets what is older than the feed is kept, in short transactions. Any node may; one at a time does. */
export async function forgetOldEvents(system: System): Promise<void> {
  const due = await reach(system, () => dueFeeds(system.database, KEPT_HOURS, TENANTS_AT_ONCE));
  for (const tenantId of due) {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const gone = await transact(system, tenantId, (tx) =>
        forgetEvents(tx, { keptHours: KEPT_HOURS, limit: EVENTS_AT_ONCE }),
      );
      if (gone < EVENTS_AT_ONCE) break;
    }
  }
}

export function keepFeedsShort(system: System, onFailure: (reason: unknown) => void): () => void {
  let running = false;
  return system.clock.repeat(EVERY_MS, () => {
    if (running) return;
    running = true;
    forgetOldEvents(system)
      .catch(onFailure)
      .finally(() => {
        running = false;
      });
  });
}
