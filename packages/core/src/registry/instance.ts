import { type AgentHeartbeat, HealthStatus } from "@signalbox/contracts";
import { type InstanceFacts, instanceFacts } from "../dispatch/registry-facts.ts";
import { effectiveHealth, type Standing } from "../gate/quarantine.ts";

/** An instance as it is kept: what it last said, what its results say of it, and until when it stands. */
export type KnownInstance = {
  readonly heartbeat: AgentHeartbeat;
  readonly packVersion: string | undefined;
  readonly standing: Standing;
  readonly leaseExpiresAt: number;
  readonly draining: boolean;
  /** Our own count of what it had when it said so; undefined where that was not counted. */
  readonly dispatchesWhenHeard: number | undefined;
};

/** INST-1: what dispatch judges; `dispatches` is our own count of what it has. */
export const factsOfInstance = (known: KnownInstance, dispatches: number): InstanceFacts => ({
  ...instanceFacts(known.heartbeat, {
    packVersion: known.packVersion,
    dispatches,
    dispatchesWhenHeard: known.dispatchesWhenHeard ?? dispatches,
    leaseExpiresAt: known.leaseExpiresAt,
    draining: known.draining,
    quarantined: known.standing.quarantinedAt !== null,
  }),
  health: healthOf(known),
});

/** What the instance is told of its health, and what pages show: its own word, unless we know worse. */
export const healthOf = ({
  heartbeat,
  standing,
}: Pick<KnownInstance, "heartbeat" | "standing">): HealthStatus =>
  effectiveHealth(standing, heartbeat.health?.status ?? HealthStatus.UNSPECIFIED);

/** In a word, and the gravest first: what keeps new work from it. */
export type InstancePresence = "quarantined" | "away" | "draining" | "present";

/** INST-2: its lease says whether it is there; what it does with its dispatches, their own leases say (D8). */
export function presenceOf(
  { standing, leaseExpiresAt, draining }: Pick<KnownInstance, "standing" | "leaseExpiresAt" | "draining">,
  now: number,
): InstancePresence {
  if (standing.quarantinedAt !== null) return "quarantined";
  if (leaseExpiresAt <= now) return "away";
  return draining ? "draining" : "present";
}

/** INST-3: long enough for a person to see what went away, and short enough that names do not pile up. */
export const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;

/** INST-3: an instance that is quarantined is kept, or a new life would lift its quarantine (D7). */
export const mayForget = (
  { leaseExpiresAt, health, dispatches }: Pick<InstanceFacts, "leaseExpiresAt" | "health" | "dispatches">,
  now: number,
): boolean =>
  dispatches === 0 && health !== HealthStatus.QUARANTINED && leaseExpiresAt + FORGET_AFTER_MS <= now;
