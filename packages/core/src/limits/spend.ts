/** So many a second for as long as one likes, and so many at once after a rest. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export type Spending =
  | { readonly allowed: true; readonly fullAt: number }
  | { readonly allowed: false; readonly waitMs: number };

/** Of one request's time: sums of thirds must not cost the last request of a burst. */
const ROUNDING = 1e-3;

/** How long an empty bucket takes to be full again: what was said longer ago is forgotten without a difference. */
export const refillMs = ({ perSecond, burst }: Rate): number => (burst * 1_000) / perSecond;

/**
 * LIMIT-1 to LIMIT-4. A token bucket kept as one number, the time at which it is full again (the generic cell rate
 * algorithm, ITU-T I.371 annex A), so that a million of them are a million numbers and nothing refills them.
 */
export function spend(rate: Rate, fullAt: number | undefined, now: number): Spending {
  const each = 1_000 / rate.perSecond;
  const empty = now + refillMs(rate);
  const from = Math.min(Math.max(fullAt ?? now, now), empty);
  const waitMs = from + each - empty;
  return waitMs <= each * ROUNDING ? { allowed: true, fullAt: from + each } : { allowed: false, waitMs };
}
