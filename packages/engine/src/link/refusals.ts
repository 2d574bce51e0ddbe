import type { Database } from "@signalbox/db";

const MOST_KEPT = 10_000;
const kept = new WeakMap<Database, Map<string, string>>();
const keyOf = (tenantId: string, dispatchId: string): string => `${tenantId}/${dispatchId}`;

/**
 * Why an instance did not take what it was called with, as this process saw it last. Nobody decides by it: it is what the
 * entry says of a dispatch that nobody took, where the process that ends it is the one that called.
 */
export function noteRefusal(database: Database, tenantId: string, dispatchId: string, why: string): void {
  const notes = kept.get(database) ?? new Map<string, string>();
  kept.set(database, notes);
  notes.set(keyOf(tenantId, dispatchId), why);
  const [oldest] = notes.keys();
  if (notes.size > MOST_KEPT && oldest !== undefined) notes.delete(oldest);
}

/** It stays noted: a batch that was overtaken is decided again. */
export const notedRefusal = (database: Database, tenantId: string, dispatchId: string): string | undefined =>
  kept.get(database)?.get(keyOf(tenantId, dispatchId));

export function forgetRefusal(database: Database, tenantId: string, dispatchId: string): void {
  kept.get(database)?.delete(keyOf(tenantId, dispatchId));
}
