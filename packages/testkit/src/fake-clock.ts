interface Timer {
  due: number;
  every: number | undefined;
  work: () => void;
}

/** Time that stands still until a test moves it; has the shape of the engine's clock. */
export interface FakeClock {
  now: () => Date;
  repeat: (milliseconds: number, work: () => void) => () => void;
  after: (milliseconds: number, work: () => void) => () => void;
  /** Moves time on and runs what becomes due, in the order of its time. */
  advance: (milliseconds: number) => void;
}

export function createFakeClock(start = new Date("2026-01-01T00:00:00Z")): FakeClock {
  let time = start.getTime();
  const timers = new Set<Timer>();
  const add = (milliseconds: number, work: () => void, every?: number) => {
    if (!(milliseconds >= 0) || every === 0) {
      throw new RangeError(
        `A timer of ${milliseconds} ms: allowed are 0 and more, and more than 0 where it repeats.`,
      );
    }
    const timer = { due: time + milliseconds, every, work };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextUntil = (end: number) =>
    [...timers].filter((timer) => timer.due <= end).toSorted((one, other) => one.due - other.due)[0];

  return {
    now: () => new Date(time),
    repeat: (milliseconds, work) => add(milliseconds, work, milliseconds),
    after: (milliseconds, work) => add(milliseconds, work),
    advance: (milliseconds) => {
      const end = time + milliseconds;
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        time = timer.due;
        if (timer.every === undefined) {
          timers.delete(timer);
        } else {
          timer.due += timer.every;
        }
        timer.work();
      }
      time = end;
    },
  };
}
