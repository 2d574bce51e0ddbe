import type { AgentEndpoint } from "@signalbox/contracts";
import type { InstanceRef } from "@signalbox/core";
import type { System } from "../system.ts";

/** What a heartbeat says to who hands work over. */
export type HeardInstance = InstanceRef & {
  readonly tenantId: string;
  /** How it is reached; undefined for one that asks for work itself. */
  readonly endpoint: AgentEndpoint | undefined;
  /** It stands for so long without another heartbeat. */
  readonly leaseMs: number;
  /** What it must be told to stop. */
  readonly cancelDispatchIds: readonly string[];
};

type Listener = (heard: readonly HeardInstance[]) => void;
const listeners = new WeakMap<System["database"], Set<Listener>>();

/** Hears every heartbeat of this process once it is committed. */
export function onInstancesHeard(system: Pick<System, "database">, listener: Listener): () => void {
  const known = listeners.get(system.database) ?? new Set();
  listeners.set(system.database, known);
  known.add(listener);
  return () => void known.delete(listener);
}

/** Only where somebody listens is anything told, and nothing made for it. */
export function tellHeard(system: Pick<System, "database">, heard: () => readonly HeardInstance[]): void {
  const known = listeners.get(system.database);
  if (known === undefined || known.size === 0) return;
  const told = heard();
  for (const listener of known) listener(told);
}
