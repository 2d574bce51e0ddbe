import type { Database, InstanceKey } from "@signalbox/db";
import type { System } from "../system.ts";

type Listener = (instances: readonly InstanceKey[]) => void;
const listeners = new WeakMap<Database, Set<Listener>>();

/** Hears of instances that are new, or back after their lease had ended, once they are committed. */
export function onInstancesReturned(system: Pick<System, "database">, listener: Listener): () => void {
  const known = listeners.get(system.database) ?? new Set();
  listeners.set(system.database, known);
  known.add(listener);
  return () => {
    known.delete(listener);
  };
}

export function tellReturned(system: Pick<System, "database">, instances: readonly InstanceKey[]): void {
  for (const listener of listeners.get(system.database) ?? []) listener(instances);
}
