export type FairQueue<T> = {
  readonly size: number;
  push(tenantId: string, item: T): void;
  /** At most so many, a tenant at a time in turn: one tenant's burst delays another's single item by one round. */
  take(most: number): T[];
};

/**
 * What a tenant may have of each turn, however many wait. A batch of a hundred tenants costs more than one of a few: each has a
 * registry to look up, rows to tell apart, and pages of every index of its own.
 */
const LEAST_SHARE = 4;

/** First come, first served within a tenant; turn by turn between tenants. */
export function createFairQueue<T>(): FairQueue<T> {
  const byTenant = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(tenantId, item) {
      const waiting = byTenant.get(tenantId);
      if (waiting === undefined) byTenant.set(tenantId, [item]);
      else waiting.push(item);
      size += 1;
    },
    take(most) {
      const taken: T[] = [];
      while (taken.length < most && byTenant.size > 0) {
        const share = Math.max(LEAST_SHARE, Math.floor((most - taken.length) / byTenant.size));
        for (const [tenantId, waiting] of byTenant) {
          if (taken.length === most) break;
          taken.push(...waiting.splice(0, Math.min(share, most - taken.length)));
          byTenant.delete(tenantId);
          // To the end of the turn, so that the next batch begins with somebody else.
          if (waiting.length > 0) byTenant.set(tenantId, waiting);
        }
      }
      size -= taken.length;
      return taken;
    },
  };
}
