import { type Rate, refillMs, spend, type Spending } from "@signalbox/core";

export type Buckets = {
  readonly take: (subject: string) => Spending;
  /** Of how many subjects something is remembered. */
  readonly size: () => number;
};

export type BucketOptions = {
  readonly rate: Rate;
  /** Subjects that are remembered in one turn; twice as many at most in all. */
  readonly most: number;
  /** A clock that is never set back, in milliseconds. */
  readonly now: () => number;
};

/**
 * A bucket for each subject, whoever makes them up. What was not touched for as long as a bucket takes to fill is full,
 * and is forgotten with a whole generation at once, so that nothing looks for it. A turn that is crowded ends before its
 * time: somebody with so many addresses gets a burst from each of them anyway, and the heap stays as it is.
 */
export function createBuckets({ rate, most, now }: BucketOptions): Buckets {
  const turnMs = refillMs(rate);
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let turnedAt = now();
  return {
    take(subject) {
      const at = now();
      if (at - turnedAt >= turnMs || young.size >= most) {
        old = young;
        young = new Map();
        turnedAt = at;
      }
      const spending = spend(rate, young.get(subject) ?? old.get(subject), at);
      if (spending.allowed) young.set(subject, spending.fullAt);
      return spending;
    },
    size: () => young.size + old.size,
  };
}
