import type { CancelledAttempt, Reached } from "@signalbox/engine";
import type { RedisCalls } from "./adapter.ts";
import { namesOf } from "./names.ts";

/** To every process of the instance at once, since nobody here knows which of them has it; a heartbeat tells it again. */
export async function cancel(
  { redis, entries }: RedisCalls,
  to: Reached,
  { dispatchId }: CancelledAttempt,
): Promise<void> {
  const { work, cancels } = namesOf(to);
  const id = entries.get(dispatchId);
  entries.delete(dispatchId);
  if (id !== undefined) await redis.call("XDEL", work, id);
  await redis.call("PUBLISH", cancels, dispatchId);
}
