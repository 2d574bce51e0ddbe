import { instanceEvent } from "@signalbox/core";
import { lostInstances, markLost } from "@signalbox/db";
import { tellBatch } from "../stream/tell.ts";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";

const EVERY_MS = 5_000;
const MOST_AT_ONCE = 1_000;

/** A lease that ends is nobody's transaction: readers are told of it once, by whichever node looks first. */
export async function tellOfLost(system: System): Promise<number> {
  const lost = await reach(system, () => lostInstances(system.database, MOST_AT_ONCE));
  if (lost.length === 0) return 0;
  const tenantIds = lost.map(({ tenantId }) => tenantId);
  return reach(system, () =>
    system.database.inTenants(tenantIds, async (tx) => {
      const marked = await markLost(tx, lost);
      await tellBatch(
        tx,
        marked.map((instance) => ({ tenantId: instance.tenantId, event: instanceEvent("lost", instance) })),
      );
      return marked.length;
    }),
  );
}

export function tellLostInstances(system: System, onFailure: (reason: unknown) => void): () => void {
  let running = false;
  return system.clock.repeat(EVERY_MS, () => {
    if (running) return;
    running = true;
    tellOfLost(system)
      .catch(onFailure)
      .finally(() => {
        running = false;
      });
  });
}
