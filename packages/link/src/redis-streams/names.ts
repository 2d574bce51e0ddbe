import type { Reached } from "@signalbox/engine";

/** The consumer group of an instance's own processes, and that of Signalbox's. */
export const AGENTS = "agents";
export const SIGNALBOX = "signalbox";

/**
 * Where an instance's entries are. The braces keep them on one node of a cluster, and each part is percent-encoded, so
 * that an access rule can give an agent its own keys and no other's.
 */
export function namesOf({ tenantId, packId, instanceId }: Omit<Reached, "address">) {
  const prefix = `signalbox:{${[tenantId, packId, instanceId].map(encodeURIComponent).join("/")}}`;
  return { work: `${prefix}:work`, results: `${prefix}:results`, cancels: `${prefix}:cancels` };
}
