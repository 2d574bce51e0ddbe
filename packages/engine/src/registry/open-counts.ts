import type { InstanceRef } from "@signalbox/core";

/** How many dispatches each instance of a tenant has. */
export type OpenCounts = Map<string, number>;

export const instanceKey = ({ packId, instanceId }: InstanceRef): string => `${packId}\n${instanceId}`;

/** Adds, and forgets what comes to nothing. */
export function addTo(counts: OpenCounts, key: string, change: number): void {
  const sum = (counts.get(key) ?? 0) + change;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

type Delta = { tenantId: string; ref: InstanceRef; change: 1 | -1 };

/** What one transaction changes of the counts, so far. */
export type TransactionCounts = {
  dispatched(tenantId: string, ref: InstanceRef): void;
  ended(tenantId: string, ref: InstanceRef): void;
  /** The database holds them now. */
  committed(): void;
  /** They never were: each is taken back. */
  undone(): void;
};

/**
 * The changes of this process that the database does not show yet. `onChange` hears each at once, so that no decision is
 * taken on a count that another lane has used up.
 */
export function pendingCounts(onChange: (delta: Delta) => void) {
  const pending = new Map<string, { counts: OpenCounts; transactions: number; settled: number }>();

  const of = (tenantId: string) => {
    const found = pending.get(tenantId) ?? { counts: new Map(), transactions: 0, settled: 0 };
    pending.set(tenantId, found);
    return found;
  };

  function begin(): TransactionCounts {
    const deltas: Delta[] = [];
    const tenants = new Set<string>();
    const add = (delta: Delta) => {
      const own = of(delta.tenantId);
      if (!tenants.has(delta.tenantId)) own.transactions += 1;
      tenants.add(delta.tenantId);
      deltas.push(delta);
      addTo(own.counts, instanceKey(delta.ref), delta.change);
      onChange(delta);
    };
    const settle = () => {
      for (const { tenantId, ref, change } of deltas) addTo(of(tenantId).counts, instanceKey(ref), -change);
      for (const tenantId of tenants) {
        of(tenantId).transactions -= 1;
        of(tenantId).settled += 1;
      }
      deltas.length = 0;
      tenants.clear();
    };
    return {
      dispatched: (tenantId, ref) => add({ tenantId, ref, change: 1 }),
      ended: (tenantId, ref) => add({ tenantId, ref, change: -1 }),
      committed: settle,
      undone: () => {
        for (const { tenantId, ref, change } of deltas)
          onChange({ tenantId, ref, change: change === 1 ? -1 : 1 });
        settle();
      },
    };
  }

  return {
    begin,
    /** The database's counts with what is under way on top. */
    onTop(tenantId: string, counts: OpenCounts): OpenCounts {
      const sum = new Map(counts);
      for (const [key, change] of pending.get(tenantId)?.counts ?? []) addTo(sum, key, change);
      return sum;
    },
    /** Forgets a tenant that nothing is under way for. */
    drop(tenantId: string): void {
      if (pending.get(tenantId)?.transactions === 0) pending.delete(tenantId);
    },
    /** Changes whenever a transaction settles; undefined while one is under way, when no look at the database is exact. */
    quietMark(tenantId: string): number | undefined {
      const own = pending.get(tenantId);
      if (own === undefined) return 0;
      return own.transactions === 0 ? own.settled : undefined;
    },
  };
}
