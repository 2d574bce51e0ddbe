import { type AgentManifest, HealthStatus } from "@signalbox/contracts";
import type { InstanceReason } from "./reasons.ts";
import { capacityOf, type InstanceFacts } from "./registry-facts.ts";

/** An instance with what ranking needs of it, worked out once when it changes and not once a decision. */
export type RankedInstance = {
  readonly facts: InstanceFacts;
  readonly version: string;
  readonly capacity: number;
  readonly load: number;
  readonly ratio: number;
  readonly healthy: boolean;
  /** What keeps it from any task until it changes. */
  readonly standing: StandingReason | undefined;
  readonly latencyMs: number;
  readonly leaseExpiresAt: number;
  readonly availableTools: ReadonlySet<string> | undefined;
  readonly degradedTools: ReadonlySet<string> | undefined;
};

export function rankInstance(facts: InstanceFacts, manifest: AgentManifest): RankedInstance {
  const capacity = capacityOf(facts, manifest);
  const load = facts.dispatches + facts.otherTasks;
  return {
    facts,
    version: manifest.packVersion,
    capacity,
    load,
    ratio: capacity > 0 ? load / capacity : Number.POSITIVE_INFINITY,
    healthy: facts.health === HealthStatus.HEALTHY,
    standing: standingOf(facts, load, capacity),
    latencyMs: facts.avgLatencyMs,
    leaseExpiresAt: facts.leaseExpiresAt,
    availableTools: setOf(facts.availableTools),
    degradedTools: setOf(facts.degradedTools),
  };
}

type StandingReason = Extract<InstanceReason, "quarantined" | "draining" | "unhealthy" | "at-capacity">;

function standingOf(facts: InstanceFacts, load: number, capacity: number): StandingReason | undefined {
  if (facts.health === HealthStatus.QUARANTINED) return "quarantined";
  if (facts.draining) return "draining";
  if (facts.health === HealthStatus.UNHEALTHY) return "unhealthy";
  return load >= capacity ? "at-capacity" : undefined;
}

const setOf = (names: readonly string[]): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names);

/**
 * DSP-40 (A2A 3.2): HEALTHY before others, then the lower ratio, then the lower latency. Negative: `one` goes first.
 * Zero is a tie, which a preference may break.
 */
export function byMerit(one: RankedInstance, other: RankedInstance): number {
  if (one.healthy !== other.healthy) return one.healthy ? -1 : 1;
  if (one.ratio !== other.ratio) return one.ratio < other.ratio ? -1 : 1;
  return one.latencyMs - other.latencyMs;
}

/** Merit, and among equals the order of their ids in UTF-16 units: the same for everybody, whatever came first. */
export function byRank(one: RankedInstance, other: RankedInstance): number {
  return byMerit(one, other) || inOrderOfName(one.facts, other.facts);
}

function inOrderOfName(one: InstanceFacts, other: InstanceFacts): number {
  if (one.packId !== other.packId) return one.packId < other.packId ? -1 : 1;
  if (one.instanceId === other.instanceId) return 0;
  return one.instanceId < other.instanceId ? -1 : 1;
}
