import { durationInWords } from "../ui/duration.ts";
import type { Aspect } from "../ui/signal.tsx";
import type { Instance } from "./instance-queries.ts";

export type Ability = { aspect: Aspect; word: string };

/** Whether it can be given work now, and if not, why: what is graver is said first. */
export function abilityOf({
  presence,
  healthStatus,
  openDispatches,
  maxTasks,
}: Pick<Instance, "presence" | "healthStatus" | "openDispatches" | "maxTasks">): Ability {
  if (presence === "quarantined") return { aspect: "danger", word: "Quarantined" };
  if (presence === "away") return { aspect: "unlit", word: "Away" };
  if (healthStatus === "HEALTH_STATUS_UNHEALTHY") return { aspect: "caution", word: "Unhealthy" };
  if (presence === "draining") return { aspect: "unlit", word: "Finishing, takes no more" };
  if (maxTasks === 0) return { aspect: "unlit", word: "Takes no work" };
  if (healthStatus === "HEALTH_STATUS_DEGRADED") return { aspect: "caution", word: "Degraded" };
  if (maxTasks !== null && openDispatches >= maxTasks) return { aspect: "clear", word: "Full" };
  return { aspect: "clear", word: openDispatches > 0 ? "At work" : "Free" };
}

/** "2 of 4", or the count alone where it does not say how many it can take. */
export const loadInWords = ({
  openDispatches,
  maxTasks,
}: Pick<Instance, "openDispatches" | "maxTasks">): string =>
  maxTasks === null || maxTasks === 0 ? String(openDispatches) : `${openDispatches} of ${maxTasks}`;

export function latencyInWords(ms: number | null): string {
  if (ms === null || ms === 0) return "not said";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export const errorsInWords = (rate: number | null): string =>
  rate === null ? "not said" : `${Math.round(rate * 1_000) / 10} %`;

/** How many can be given work, of how many there are; and places, where each of them says how many it has. */
export function countAble(instances: readonly Instance[]): {
  able: number;
  all: number;
  free: number | undefined;
} {
  const able = instances.filter(
    ({ presence, healthStatus, maxTasks }) =>
      presence === "present" && healthStatus !== "HEALTH_STATUS_UNHEALTHY" && maxTasks !== 0,
  );
  const free = able.reduce<number | undefined>(
    (sum, { maxTasks, openDispatches }) =>
      sum === undefined || maxTasks === null ? undefined : sum + Math.max(0, maxTasks - openDispatches),
    0,
  );
  return { able: able.length, all: instances.length, free };
}

/**
 * That heartbeats came is told every few seconds, and one that does not come the moment its lease ends; the list is read anew
 * each time: who was there when it was read reports in time. Of who is away there is none any more: the time since the last one
 * is true as it grows. A quarantine hides neither.
 */
export function heartbeatsInWords(
  { presence, heardAt, leaseExpiresAt }: Pick<Instance, "presence" | "heardAt" | "leaseExpiresAt">,
  { readAt, now }: { readAt: number; now: number },
): string {
  const heard = Date.parse(heardAt);
  if (presence !== "away" && Date.parse(leaseExpiresAt) > readAt) {
    const ago = now - heard;
    // The browser's clock may be another than the server's, and a page may be behind: then nothing is said of seconds.
    if (ago < 0 || ago > Date.parse(leaseExpiresAt) - heard) return "in time";
    return ago < 5_000 ? "in time, just now" : `in time, ${Math.floor(ago / 1_000)} s ago`;
  }
  const minutes = Math.floor((now - heard) / 60_000);
  return `none for ${minutes < 1 ? "less than a minute" : durationInWords(minutes * 60)}`;
}
