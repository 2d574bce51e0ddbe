export type Turns = {
  /** Resolves when it is this tenant's turn; what it resolves with ends the turn. */
  readonly take: (tenantId: string) => Promise<() => void>;
};

/**
 * So many at work at a time. Who waits is let in a tenant at a time in turn, first come first served within a tenant: a
 * thousand that wait of one tenant hold another's single one up by one turn, where a pool's own queue would by a thousand.
 */
export function createTurns(most: number): Turns {
  const byTenant = new Map<string, (() => void)[]>();
  let working = 0;

  function next(): (() => void) | undefined {
    for (const [tenantId, waiting] of byTenant) {
      const first = waiting.shift();
      byTenant.delete(tenantId);
      // To the end, so that the next turn is somebody else's.
      if (waiting.length > 0) byTenant.set(tenantId, waiting);
      return first;
    }
    return undefined;
  }

  function leave(): void {
    const following = next();
    if (following === undefined) working -= 1;
    else following();
  }

  return {
    async take(tenantId) {
      if (working < most) {
        working += 1;
        return leave;
      }
      const waiting = byTenant.get(tenantId) ?? [];
      byTenant.set(tenantId, waiting);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return leave;
    },
  };
}
