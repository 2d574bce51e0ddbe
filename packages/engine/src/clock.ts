/** Time as the commands and loops see it; tests hold it still. */
export type Clock = {
  now(): Date;
  /** Calls `work` every `milliseconds` until stopped. Does not keep the process alive. */
  repeat(milliseconds: number, work: () => void): () => void;
  /** Calls `work` once after `milliseconds` unless stopped. Does not keep the process alive. */
  after(milliseconds: number, work: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => new Date(),
  repeat: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** The promise's value, or a rejection once the time is over: a database that hangs is one that does not answer. */
export function within<T>(clock: Clock, milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(milliseconds, () => reject(new Error(`no answer within ${milliseconds} ms`)));
    promise.then(resolve, reject).finally(stop);
  });
}
