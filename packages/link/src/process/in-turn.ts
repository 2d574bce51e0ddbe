export type Turns = {
  /** Resolves when it is one's turn, with what ends it; rejects when `signal` calls it off before. */
  next(signal: AbortSignal): Promise<() => void>;
};

/** So many at once; the others wait in the order in which they came. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function free(): void {
    taken -= 1;
    waiting.shift()?.();
  }

  return {
    async next(signal) {
      signal.throwIfAborted();
      if (taken >= most) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const leave = (): void => {
          const at = waiting.indexOf(resolve);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason);
        };
        waiting.push(resolve);
        signal.addEventListener("abort", leave, { once: true });
        try {
          await promise;
        } finally {
          signal.removeEventListener("abort", leave);
        }
      }
      taken += 1;
      return free;
    },
  };
}
