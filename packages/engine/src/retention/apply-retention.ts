import { retentionApplied } from "@signalbox/core";
import { removableMonths, removeAuditMonth } from "@signalbox/db";
import { recordBatch } from "../record.ts";
import type { System } from "../system.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Removes the months that may go, each in a transaction that says so on every record it was part of. Gives those that went. */
export async function applyRetention(
  { database, randomBytes }: Pick<System, "database" | "randomBytes">,
  onFailure: (reason: unknown) => void,
): Promise<string[]> {
  const gone: string[] = [];
  for (const { month, tenantIds } of await removableMonths(database)) {
    const requestId = Buffer.from(randomBytes(16)).toString("hex");
    try {
      await database.inTenants(tenantIds, async (tx) => {
        await recordBatch(
          tx,
          tenantIds.map((tenantId) => retentionApplied({ tenantId, requestId }, month)),
        );
        await removeAuditMonth(tx, month);
      });
      gone.push(month);
    } catch (error) {
      // A hold that came meanwhile, another node, or writers that did not make room: it is tried again in an hour.
      onFailure(error);
    }
  }
  return gone;
}

/** At the start and every hour: what may go goes by itself, on whichever node comes first. */
export function keepRetention(
  system: Pick<System, "database" | "clock" | "randomBytes">,
  onFailure: (reason: unknown) => void,
): () => void {
  const apply = (): void => {
    applyRetention(system, onFailure).catch(onFailure);
  };
  apply();
  return system.clock.repeat(HOUR_MS, apply);
}
