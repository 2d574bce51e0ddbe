/** How many stages wait, by tenant and task type. */
export type QueueDepths = {
  /** Whether the tenant's queue was ever counted; before that nothing is known of it. */
  knows(tenantId: string): boolean;
  total(tenantId: string): number;
  of(tenantId: string, taskType: string): number;
  /** What the database counted. */
  set(tenantId: string, counted: ReadonlyMap<string, number>): void;
  /** What a committed transaction changed. */
  add(tenantId: string, taskType: string, change: number): void;
  /** Tenants whose queue was counted. */
  tenants(): string[];
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
  return {
    knows: (tenantId) => byTenant.has(tenantId),
    total: (tenantId) => [...(byTenant.get(tenantId)?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    of: (tenantId, taskType) => byTenant.get(tenantId)?.get(taskType) ?? 0,
    set: (tenantId, counted) => void byTenant.set(tenantId, new Map(counted)),
    add(tenantId, taskType, change) {
      const counts = byTenant.get(tenantId);
      if (counts === undefined) return;
      const left = (counts.get(taskType) ?? 0) + change;
      if (left > 0) counts.set(taskType, left);
      else counts.delete(taskType);
    },
    tenants: () => [...byTenant.keys()],
    forget: () => byTenant.clear(),
    waiting: () =>
      [...byTenant].flatMap(([tenantId, counts]) =>
        [...counts.keys()].map((taskType) => ({ tenantId, taskType })),
      ),
  };
}
