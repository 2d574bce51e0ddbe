import { ensureAuditPartitions } from "@signalbox/db";
import type { System } from "./system.ts";

const everyMs = 60_000;
const monthsAhead = 3;

/**
 * A month without its partition cannot be written to, and without the record nothing can be changed. A process that runs for
 * months makes them in time; where the database's clock is set to another month, so that nothing was made for it, within a minute.
 */
export function keepAuditPartitions(
  { database, clock }: Pick<System, "database" | "clock">,
  onFailure: (reason: unknown) => void,
): () => void {
  return clock.repeat(everyMs, () => {
    ensureAuditPartitions(database, monthsAhead).catch(onFailure);
  });
}
