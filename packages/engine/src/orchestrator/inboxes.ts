import type { InstanceRef } from "@signalbox/core";

/** Whether the database may hold work for an instance that waits for some here. */
export type Inboxes = {
  /** What to do once something arrives for the instance that nobody waited for when it was decided. */
  listen(tenantId: string, ref: InstanceRef, onArrival: () => void): () => void;
  arrived(tenantId: string, ref: InstanceRef): void;
  /** True unless it was found empty and nothing arrived since. */
  mayHold(tenantId: string, ref: InstanceRef): boolean;
  /** Runs a look into the database; what arrives meanwhile counts as not yet seen. */
  look<T>(tenantId: string, ref: InstanceRef, take: () => Promise<readonly T[]>): Promise<readonly T[]>;
  forget(): void;
};

type Inbox = { arrivals: number; emptyAt: number; readonly listeners: Set<() => void> };

/** Kept so that an agent that polls an empty inbox costs no query: what this process sends, it knows of. */
export function createInboxes(capacity: number): Inboxes {
  const inboxes = new Map<string, Inbox>();

  function inboxOf(tenantId: string, { packId, instanceId }: InstanceRef): Inbox {
    const text = JSON.stringify([tenantId, packId, instanceId]);
    const found = inboxes.get(text);
    if (found !== undefined) return found;
    if (inboxes.size >= capacity) dropUnheard();
    const made: Inbox = { arrivals: 0, emptyAt: -1, listeners: new Set() };
    inboxes.set(text, made);
    return made;
  }

  /** One that is dropped is looked into again, which costs a query and loses nothing. */
  function dropUnheard(): void {
    for (const [text, { listeners }] of inboxes) if (listeners.size === 0) inboxes.delete(text);
  }

  return {
    listen(tenantId, ref, onArrival) {
      const { listeners } = inboxOf(tenantId, ref);
      listeners.add(onArrival);
      return () => void listeners.delete(onArrival);
    },
    arrived(tenantId, ref) {
      const inbox = inboxOf(tenantId, ref);
      inbox.arrivals += 1;
      for (const listener of inbox.listeners) listener();
    },
    mayHold(tenantId, ref) {
      const { arrivals, emptyAt } = inboxOf(tenantId, ref);
      return emptyAt !== arrivals;
    },
    async look(tenantId, ref, take) {
      const inbox = inboxOf(tenantId, ref);
      const { arrivals } = inbox;
      const taken = await take();
      if (taken.length === 0) inbox.emptyAt = arrivals;
      return taken;
    },
    forget() {
      for (const inbox of inboxes.values()) inbox.emptyAt = -1;
    },
  };
}
