import type { CancelledAttempt } from "@signalbox/engine";
import type { Programs } from "./adapter.ts";

const STOP_WITHIN_MS = 5_000;

/** A2A 3.4: the sub-agent is stopped, and what it would have said is discarded. */
export async function cancel(
  { running, stopWithinMs = STOP_WITHIN_MS }: Programs,
  { dispatchId }: CancelledAttempt,
): Promise<void> {
  await running.get(dispatchId)?.stop(stopWithinMs);
}
