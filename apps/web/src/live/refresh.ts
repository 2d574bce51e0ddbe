import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Between two readings of the same thing, however much happens to it. */
const REFRESH_EVERY_MS = 250;

type Waiting = { again: boolean };

/**
 * Reads anew what a message says has changed: at once, and while more comes at most every quarter of a second, with a
 * last reading after the last message. None of these readings is thrown away for the next one.
 */
export function createRefresh(
  read: (queryKey: QueryKey) => Promise<unknown>,
  pause: (ms: number) => Promise<void>,
): (queryKey: QueryKey) => void {
  const waiting = new Map<string, Waiting>();

  async function work(queryKey: QueryKey, own: Waiting): Promise<void> {
    do {
      own.again = false;
      // A failure is shown by the query itself.
      await Promise.all([read(queryKey).catch(() => undefined), pause(REFRESH_EVERY_MS)]);
    } while (own.again);
  }

  return (queryKey) => {
    const name = JSON.stringify(queryKey);
    const known = waiting.get(name);
    if (known !== undefined) {
      known.again = true;
      return;
    }
    const own: Waiting = { again: false };
    waiting.set(name, own);
    void work(queryKey, own).finally(() => waiting.delete(name));
  };
}

export const refreshIn = (queryClient: QueryClient): ((queryKey: QueryKey) => void) =>
  createRefresh(
    (queryKey) => queryClient.invalidateQueries({ queryKey }),
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );
