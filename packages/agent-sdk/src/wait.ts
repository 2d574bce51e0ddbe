/** Over after so long, or as soon as the signal is aborted. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    // Node fires a longer timer at once.
    const timer = setTimeout(end, Math.min(milliseconds, 2 ** 31 - 1));
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Time that nobody sets: a span on the wall clock may be negative. */
export const monotonicMs = (): number => performance.now();
