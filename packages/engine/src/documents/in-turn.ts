import { bumpRegistry, type TenantTransaction } from "@signalbox/db";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/**
 * A transaction that holds the tenant's registry from its beginning, so that of two who change documents at once the
 * second decides on what the first has left.
 */
export const inTurn = <T>(
  system: System,
  { caller }: Asked,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> =>
  transact(system, caller.tenantId, async (tx) => {
    await bumpRegistry(tx);
    return work(tx);
  });

/** What a decision that was taken in turn said would be there. */
export function kept<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("a document changed while its tenant's registry was held");
  return row;
}

export const auditContextOf = ({ caller: { tenantId, actor }, requestId }: Asked) => ({
  tenantId,
  actor,
  requestId,
});
