import { readHeardChanges } from "@signalbox/db";
import type { System } from "../system.ts";

/** Who wants to know that instances of a tenant were heard, though nothing of them is another than before. */
export type HeardWatch = {
  watch: (tenantId: string, onHeard: () => void) => () => void;
  stop: () => void;
};

/** Heartbeats come by the thousand a second; a person looks at a page. */
const LOOK_EVERY_MS = 5_000;

type Watched = { readonly listeners: Set<() => void>; change: number | undefined };

/**
 * Asks the database, since another process may have heard them, and only while somebody listens: one statement for all
 * tenants. What is told is told to those who listen now and is not kept, so that a heartbeat writes nothing for it.
 */
export function watchHeard(
  { database, clock }: Pick<System, "database" | "clock">,
  onFailure: (error: unknown, what: string) => void,
): HeardWatch {
  const tenants = new Map<string, Watched>();
  let looking = false;

  async function look(): Promise<void> {
    const tenantIds = [...tenants.keys()];
    const found = await database.inTenants(tenantIds, (tx) => readHeardChanges(tx, tenantIds));
    for (const { tenantId, change } of found) {
      const watched = tenants.get(tenantId);
      if (watched === undefined) continue;
      const before = watched.change;
      watched.change = change;
      // The first look only learns where it begins: whoever has just come has read the list.
      if (before !== undefined && change > before) for (const onHeard of watched.listeners) onHeard();
    }
  }

  function lookNow(): void {
    if (tenants.size === 0 || looking) return;
    looking = true;
    look()
      .catch((error: unknown) => onFailure(error, "asking whose heartbeats were heard"))
      .finally(() => {
        looking = false;
      });
  }

  const stop = clock.repeat(LOOK_EVERY_MS, lookNow);
  return {
    watch(tenantId, onHeard) {
      const watched = tenants.get(tenantId) ?? { listeners: new Set(), change: undefined };
      tenants.set(tenantId, watched);
      watched.listeners.add(onHeard);
      return () => {
        watched.listeners.delete(onHeard);
        if (watched.listeners.size === 0 && tenants.get(tenantId) === watched) tenants.delete(tenantId);
      };
    },
    stop,
  };
}
