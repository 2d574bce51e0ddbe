import { HealthStatus } from "@signalbox/contracts";
import {
  type AlertCondition,
  alertConditions,
  ANSWERED_AT_LEAST,
  BACKLOG_ABOVE,
  breakerPhase,
  type ConditionName,
  otherRefusals,
  readBreakerState,
  readPublishedDocument,
} from "@signalbox/core";
import {
  findActiveDocument,
  findAlertFacts,
  listOpenBreakers,
  listSilentPacks,
  type OpenBreaker,
  type TenantTransaction,
} from "@signalbox/db";

export type JudgedConditions = {
  readonly conditions: readonly AlertCondition[];
  /** Kinds of which more may hold than was looked at. */
  readonly unsure: ReadonlySet<ConditionName>;
  readonly now: number;
};

/** What the tables hold at this moment; of packs and of breakers so many at most. */
export async function judgeConditions(tx: TenantTransaction, most: number): Promise<JudgedConditions> {
  const [found, silentPacks, breakers] = await Promise.all([
    findAlertFacts(tx, { most: BACKLOG_ABOVE, percentile: ANSWERED_AT_LEAST, without: otherRefusals }),
    listSilentPacks(tx, { healthy: HealthStatus.HEALTHY, limit: most }),
    listOpenBreakers(tx, most),
  ]);
  const openBreakers = breakers.length === 0 ? [] : await stillOpen(tx, breakers, found.now);
  const { slowMs, answered, now } = found;
  const facts = {
    waiting: { open: found.open, fourthOpenedAt: found.tooManySince },
    refused: { open: found.refused, oldestOpenedAt: found.refusedSince },
    silentPacks,
    answers: slowMs === null ? null : { count: answered, slowMs },
    openBreakers: openBreakers ?? [],
  };
  const unsure = new Set<ConditionName>();
  if (silentPacks.length === most) unsure.add("pack-out-of-service");
  if (breakers.length === most || openBreakers === undefined) unsure.add("breaker-open");
  return { conditions: alertConditions(facts, now), unsure, now };
}

/**
 * ALERT-5: what nobody dispatches to any more stays open in its row; by the policy in force it may be tried again. Undefined
 * where no policy says it.
 */
async function stillOpen(tx: TenantTransaction, breakers: readonly OpenBreaker[], now: number) {
  const active = await findActiveDocument(tx, "routing-policy");
  const read = active && readPublishedDocument("routing-policy", active.document);
  if (read?.kind !== "valid") return undefined;
  const { circuitBreaker } = read.document.admission;
  return breakers.flatMap(({ state, ...of }) => {
    const known = readBreakerState(state);
    const isOpen = breakerPhase(known, circuitBreaker, now) === "open";
    return known.kind === "open" && isOpen ? [{ ...of, since: known.openedAt }] : [];
  });
}
