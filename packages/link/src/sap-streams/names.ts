/** A key that speaks by streams of its own. */
export type SapStream = { readonly tenantId: string; readonly keyId: string };

/** The consumer group of Signalbox's processes. */
export const GROUP = "signalbox";

/** So many answers that the sender has not removed, and no more of its tasks are taken. */
export const MOST_UNREAD = 10_000;

/**
 * Where a key's tasks and answers are. The braces keep them on one node of a cluster, and each part is percent-encoded, so
 * that an access rule can give a sender the streams of its own key and no other's.
 */
export function sapStreamNames({ tenantId, keyId }: SapStream) {
  const prefix = `signalbox:{${[tenantId, keyId].map(encodeURIComponent).join("/")}}:sap`;
  return { tasks: `${prefix}:tasks`, answers: `${prefix}:answers`, cursor: `${prefix}:cursor` };
}
