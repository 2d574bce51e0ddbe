import { bumpRegistry, type TenantTransaction } from "@signalbox/db";
import type { KeptForm } from "../once/kept-form.ts";
import { transactOnce } from "../once/transact-once.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/**
 * A transaction that holds the tenant's registry from its beginning, so that of two who change documents at once the
 * second decides on what the first has left.
 */
export const inTurn = <T>(
  system: System,
  asked: Asked,
  work: (tx: TenantTransaction) => Promise<T>,
  form?: KeptForm<T>,
): Promise<T> => {
  const held = async (tx: TenantTransaction): Promise<T> => {
    await bumpRegistry(tx);
    return work(tx);
  };
  return form === undefined
    ? transact(system, asked.caller.tenantId, held)
    : transactOnce(system, asked, form, held);
};

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
