import type { WaitingLine } from "@signalbox/db";

/** How many stages wait, by tenant and task type. */
export type QueueDepths = {
  /** Whether the tenant's queue was ever counted; before that nothing is known of it. */
  knows(tenantId: string): boolean;
  total(tenantId: string): number;
  of(tenantId: string, taskType: string): number;
  /** What the database counted. */
  set(tenantId: string, counted: ReadonlyMap<string, number>): void;
  /**
   * The database is being asked about all tenants: gives what takes its answer in. A line that is not in the answer is
   * empty, but for who joined one meanwhile: they may be counted twice until the next answer, and are never forgotten,
   * for then somebody who comes later would overtake them.
   */
  counting(): (lines: readonly WaitingLine[]) => void;
  /** What a committed transaction changed. */
  add(tenantId: string, taskType: string, change: number): void;
  forget(): void;
  /** Tenants for whom something waits, with the task types. */
  waiting(): { readonly tenantId: string; readonly taskType: string }[];
};

/**
 * Kept in memory because every decision asks for it; counted anew now and then, since other nodes change it too. It
 * decides who is served first and when the queue is full, and never whether a transition is right.
 */
export function createQueueDepths(): QueueDepths {
  const byTenant = new Map<string, Map<string, number>>();
  const joining = new Set<WaitingLine[]>();
  return {
    knows: (tenantId) => byTenant.has(tenantId),
    total: (tenantId) => [...(byTenant.get(tenantId)?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    of: (tenantId, taskType) => byTenant.get(tenantId)?.get(taskType) ?? 0,
    set: (tenantId, counted) => void byTenant.set(tenantId, new Map(counted)),
    counting() {
      const joined: WaitingLine[] = [];
      joining.add(joined);
      return (lines) => {
        joining.delete(joined);
        for (const tenantId of byTenant.keys()) byTenant.set(tenantId, new Map());
        for (const { tenantId, taskType, waiting } of [...lines, ...joined]) {
          const counts = byTenant.get(tenantId) ?? new Map<string, number>();
          byTenant.set(tenantId, counts.set(taskType, (counts.get(taskType) ?? 0) + waiting));
        }
      };
    },
    add(tenantId, taskType, change) {
      if (change > 0) for (const joined of joining) joined.push({ tenantId, taskType, waiting: change });
      const counts = byTenant.get(tenantId);
      if (counts === undefined) return;
      const left = (counts.get(taskType) ?? 0) + change;
      if (left > 0) counts.set(taskType, left);
      else counts.delete(taskType);
    },
    forget: () => byTenant.clear(),
    waiting: () =>
      [...byTenant].flatMap(([tenantId, counts]) =>
        [...counts.keys()].map((taskType) => ({ tenantId, taskType })),
      ),
  };
}
