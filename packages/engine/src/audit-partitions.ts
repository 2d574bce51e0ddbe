import { ensureAuditPartitions } from "@signalbox/db";
import type { System } from "./system.ts";

const dayMs = 24 * 60 * 60 * 1000;
const monthsAhead = 3;

/** A month without its partition cannot be written to, so a process that runs for months makes them in time. */
export function keepAuditPartitions(
  { database, clock }: Pick<System, "database" | "clock">,
  onFailure: (reason: unknown) => void,
): () => void {
  return clock.repeat(dayMs, () => {
    ensureAuditPartitions(database, monthsAhead).catch(onFailure);
  });
}
