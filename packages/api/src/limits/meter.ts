import { SignalboxError } from "@signalbox/contracts";
import { createBuckets } from "./buckets.ts";
import type { Limit, Limited } from "./limits.ts";

export type Meter = {
  /** Throws where the subject has asked too often. */
  readonly count: (subject: string) => void;
  /** The same, and throws where too much of the subject's is under way; else says how to tell that this is over. */
  readonly enter: (subject: string) => () => void;
};

/** Subjects whose buckets are remembered: a few megabytes at most, whoever makes them up. */
const MOST_SUBJECTS = 50_000;
/** Nobody knows when something that is open ends. */
const OPEN_RETRY_MS = 1_000;

const whose: Record<Limited, string> = {
  address: "from this address",
  key: "with this key or session",
  tenant: "of this tenant",
};

const unlimited: Meter = { count: () => undefined, enter: () => () => undefined };

export function createMeter(kind: Limited, limit: Limit | undefined, now: () => number): Meter {
  if (limit === undefined) return unlimited;
  const { perSecond, burst, open: most } = limit;
  const buckets = createBuckets({ rate: limit, most: MOST_SUBJECTS, now });
  const open = new Map<string, number>();

  function leave(subject: string): void {
    const left = (open.get(subject) ?? 1) - 1;
    if (left === 0) open.delete(subject);
    else open.set(subject, left);
  }

  function count(subject: string): void {
    const spending = buckets.take(subject);
    if (spending.allowed) return;
    const rate = `${perSecond} a second and ${burst} at once`;
    throw tooMany(`Too many requests ${whose[kind]}: ${rate} are taken.`, spending.waitMs);
  }

  return {
    count,
    enter(subject) {
      // Before it is counted: who is refused for this has spent nothing.
      if ((open.get(subject) ?? 0) >= most) {
        const bound = `${most} requests and streams at a time are taken`;
        throw tooMany(`Too much is under way ${whose[kind]}: ${bound}.`, OPEN_RETRY_MS);
      }
      count(subject);
      open.set(subject, (open.get(subject) ?? 0) + 1);
      return () => leave(subject);
    },
  };
}

const tooMany = (detail: string, retryAfterMs: number): SignalboxError =>
  new SignalboxError("RATE_LIMITED", detail, { retryAfterMs });
