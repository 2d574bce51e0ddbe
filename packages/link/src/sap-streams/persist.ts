import { setTimeout as pause } from "node:timers/promises";

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Once at least, and until it is done or the process stops: what is asked is safe to repeat, and what is away comes back. */
export async function persist<T>(
  stopping: AbortSignal,
  work: () => Promise<T>,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<T | undefined> {
  for (let waitMs = SHORTEST_PAUSE_MS; ; waitMs = Math.min(LONGEST_PAUSE_MS, 2 * waitMs)) {
    try {
      return await work();
    } catch (error) {
      if (stopping.aborted) return undefined;
      onFailure(error);
      await pause(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
