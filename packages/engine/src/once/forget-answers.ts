import { forgetKeptAnswers, tenantsWithExpiredAnswers } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";

const everyMs = 10 * 60_000;
const tenantsAtOnce = 50;
const answersAtOnce = 1_000;

/** D22: answers are kept for 24 hours. A bounded number a transaction, until nothing is left that has expired. */
export async function forgetExpiredAnswers(system: System): Promise<void> {
  for (;;) {
    const tenantIds = await reach(system, () => tenantsWithExpiredAnswers(system.database, tenantsAtOnce));
    if (tenantIds.length === 0) return;
    const forgotten = await reach(system, () =>
      system.database.inTenants(tenantIds, (tx) => forgetKeptAnswers(tx, tenantIds, answersAtOnce)),
    );
    // Another node holds those that are left, and removes them.
    if (forgotten === 0) return;
  }
}

export function keepAnswersTidy(system: System, onFailure: (reason: unknown) => void): () => void {
  return system.clock.repeat(everyMs, () => {
    forgetExpiredAnswers(system).catch(onFailure);
  });
}
