import type { Observation } from "@signalbox/core";
import type { Database, InstanceKey } from "@signalbox/db";

export type Observed = { readonly tenantId: string; readonly seen: readonly Observation[] };
type Listener = (observed: Observed) => void;

const listeners = new WeakMap<Database, Set<Listener>>();

/** Hears what this process committed, once it is committed; what other nodes commit, they tell themselves. */
export function onObserved({ database }: { readonly database: Database }, listener: Listener): () => void {
  const known = listeners.get(database) ?? new Set();
  listeners.set(database, known);
  known.add(listener);
  return () => void known.delete(listener);
}

/** Only where somebody listens is anything looked at. */
export function tellObserved(
  { database }: { readonly database: Database },
  tenantId: string,
  look: () => readonly Observation[],
): void {
  const known = listeners.get(database);
  if (known === undefined || known.size === 0) return;
  const seen = look();
  if (seen.length === 0) return;
  for (const listener of known) listener({ tenantId, seen });
}

export const quarantineOf = ({ packId, instanceId }: InstanceKey): Observation => ({
  metric: "a2a_agent_quarantine_total",
  labels: { pack_id: packId, instance_id: instanceId },
  value: 1,
});
