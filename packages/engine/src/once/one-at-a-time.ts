import type { Database, RequestName } from "@signalbox/db";

const running = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Requests of one name run one after the other in this process: two in one batch would share its transaction, where
 * neither could find what the other keeps. Other nodes' wait in the database.
 */
export async function oneAtATime<T>(
  database: Database,
  { tenantId, actorId, requestKey }: RequestName,
  run: () => Promise<T>,
): Promise<T> {
  const names = running.get(database) ?? new Map<string, Promise<unknown>>();
  running.set(database, names);
  const name = JSON.stringify([tenantId, actorId, requestKey]);
  const earlier = names.get(name);
  const own = (earlier ?? Promise.resolve()).then(run, run);
  names.set(name, own);
  try {
    return await own;
  } finally {
    if (names.get(name) === own) names.delete(name);
  }
}
