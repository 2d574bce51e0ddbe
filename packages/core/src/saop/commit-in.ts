import type { Event } from "@signalbox/contracts/saop";

/** SHA-1 or SHA-256, whole or abbreviated: nothing else of what an agent calls a commit is told to another one. */
const HASH = /^[\da-f]{7,64}$/;

/** SAOP-32: the last commit that a batch names. */
export function commitIn(events: readonly Event[]): string | undefined {
  const named = events.flatMap(({ payload }) =>
    payload.type === "TASK_TRANSITION" && payload.git_hash !== undefined && HASH.test(payload.git_hash)
      ? [payload.git_hash]
      : [],
  );
  return named.at(-1);
}
