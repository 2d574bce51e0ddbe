import { FORGET_AFTER_MS } from "@signalbox/core";
import { type Database, forgetInstances } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";

const everyMs = 10 * 60_000;
const tenantsAtOnce = 50;
const instancesAtOnce = 1_000;

/** Where instances report, others may have gone: who has none that reports has no new names either. */
const reporting = new WeakMap<Database, Set<string>>();

/** Gives back those whose instances had not reported here before. */
export function noteReporting(
  { database }: Pick<System, "database">,
  tenantIds: readonly string[],
): ReadonlySet<string> {
  const known = reporting.get(database) ?? new Set();
  reporting.set(database, known);
  const added = new Set(tenantIds.filter((tenantId) => !known.has(tenantId)));
  for (const tenantId of added) known.add(tenantId);
  return added;
}

/** INST-3: forgets instances that went away long ago, a bounded number a transaction. */
export async function forgetGoneInstances(system: System): Promise<void> {
  const tenantIds = [...(reporting.get(system.database) ?? [])];
  reporting.delete(system.database);
  for (let at = 0; at < tenantIds.length; at += tenantsAtOnce) {
    const some = tenantIds.slice(at, at + tenantsAtOnce);
    let forgotten: number;
    do {
      forgotten = await reach(system, () =>
        system.database.inTenants(some, (tx) =>
          forgetInstances(tx, some, { afterMs: FORGET_AFTER_MS, limit: instancesAtOnce }),
        ),
      );
    } while (forgotten === instancesAtOnce);
  }
}

export function keepInstancesTidy(system: System, onFailure: (reason: unknown) => void): () => void {
  return system.clock.repeat(everyMs, () => {
    forgetGoneInstances(system).catch(onFailure);
  });
}
