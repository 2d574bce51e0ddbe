import type { Actor } from "../caller.ts";

/**
 * D15: whether this is who submitted, or made the key that did, or a key that made it: by a key of their own somebody would approve
 * under their name what they submitted under its. `makers` are the ids of those who made it.
 */
export const isOwnSubmission = (
  by: Pick<Actor, "id"> & { readonly type: string },
  submitter: typeof by,
  makers: readonly string[],
): boolean =>
  (by.type === submitter.type && by.id === submitter.id) || (by.type === "human" && makers.includes(by.id));
