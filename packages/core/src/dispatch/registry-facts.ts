import type { AgentHeartbeat, AgentManifest } from "@signalbox/contracts";
import { HealthStatus } from "@signalbox/contracts";
import { durationMs } from "@bufbuild/protobuf/wkt";

/** What the orchestrator itself is, as far as packs may ask for it (A2A 3.3). */
export type OrchestratorIdentity = {
  readonly version: string;
  /** Of the messages that it speaks; goes into every envelope. */
  readonly schemaVersion: string;
};

export type InstanceRef = { readonly packId: string; readonly instanceId: string };

/** An instance as it was known when a decision was taken. Kept with the decision, so that it can be taken again. */
export type InstanceFacts = InstanceRef & {
  /** What its heartbeat says it runs; undefined where nothing tells it. */
  readonly packVersion: string | undefined;
  /** Its standing: what it says of itself, unless the orchestrator knows worse (D7). */
  readonly health: HealthStatus;
  /** Dispatches that are with it now, by the orchestrator's own count. */
  readonly dispatches: number;
  /** Work it reported that the orchestrator did not give it. */
  readonly otherTasks: number;
  /** What it can take at once; undefined where it does not say. */
  readonly maxTasks: number | undefined;
  readonly avgLatencyMs: number;
  readonly availableTools: readonly string[];
  readonly degradedTools: readonly string[];
  readonly leaseExpiresAt: number;
  /** It finishes what it has and takes no more. */
  readonly draining: boolean;
};

/**
 * What the orchestrator adds to a heartbeat. `dispatches` is its count now, `dispatchesWhenHeard` the one at the moment of
 * the heartbeat; `packVersion` counts only where the heartbeat says none.
 */
export type KnownOfInstance = Pick<
  InstanceFacts,
  "packVersion" | "dispatches" | "leaseExpiresAt" | "draining"
> & {
  readonly dispatchesWhenHeard: number;
  readonly quarantined: boolean;
};

/**
 * An instance by its heartbeat. Its own count of active tasks is as old as the heartbeat: what exceeds our count of
 * that moment is work of others, and our own count goes on by itself.
 */
export function instanceFacts(heartbeat: AgentHeartbeat, known: KnownOfInstance): InstanceFacts {
  const { health, capacity } = heartbeat;
  const latency = health?.avgLatency1m;
  return {
    packId: heartbeat.packId,
    instanceId: heartbeat.instanceId,
    packVersion: heartbeat.packVersion || known.packVersion,
    health: known.quarantined ? HealthStatus.QUARANTINED : (health?.status ?? HealthStatus.UNSPECIFIED),
    dispatches: known.dispatches,
    otherTasks: Math.max(0, (capacity?.activeTasks ?? 0) - known.dispatchesWhenHeard),
    maxTasks: capacity?.maxTasks,
    avgLatencyMs: latency === undefined ? 0 : durationMs(latency),
    availableTools: heartbeat.availableTools,
    degradedTools: health?.degradedTools ?? [],
    leaseExpiresAt: known.leaseExpiresAt,
    draining: known.draining,
  };
}

/** How many tasks an instance takes at once: the lower of what it says and what its manifest says; one where neither does. */
export function capacityOf({ maxTasks }: InstanceFacts, manifest: AgentManifest): number {
  const promised = manifest.interface?.maxConcurrentTasks || undefined;
  return Math.min(maxTasks ?? promised ?? 1, promised ?? Number.POSITIVE_INFINITY);
}
