import { insertKeptAnswers, takeRequestName, type TenantTransaction } from "@signalbox/db";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { answeredBefore, type KeptForm, newAnswer, requestName } from "./kept-form.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/**
 * One transaction of the caller's tenant, carried out once where the caller named the request (D22): what it changes and
 * what it answered commit together, so that after a crash either both are there or neither is. What it refuses is undone
 * and leaves the name free.
 */
export async function transactOnce<T>(
  system: System,
  asked: Asked,
  form: KeptForm<T>,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  const { once, caller } = asked;
  if (once === undefined) return transact(system, caller.tenantId, work);
  const name = requestName(asked, once);
  return oneAtATime(system.database, name, () =>
    transact(system, caller.tenantId, async (tx) => {
      const found = await takeRequestName(tx, name);
      if (found !== undefined) return answeredBefore(form, found, once);
      const value = await work(tx);
      await insertKeptAnswers(tx, [newAnswer(form, name, once, value)]);
      return value;
    }),
  );
}
