import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Rate, refillMs, spend } from "./spend.ts";

const rates = fc.record({
  perSecond: fc.integer({ min: 1, max: 10_000 }),
  burst: fc.integer({ min: 1, max: 300 }),
});

/** Asks at each of these times, and says which were allowed. */
function allowedAt(rate: Rate, times: readonly number[]): number[] {
  let fullAt: number | undefined;
  return times.filter((now) => {
    const spending = spend(rate, fullAt, now);
    if (spending.allowed) ({ fullAt } = spending);
    return spending.allowed;
  });
}

test("LIMIT-1 after a rest so many are allowed at once as the burst says, and not one more", () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 1e9 }), (rate, now) => {
      const times = Array.from({ length: rate.burst + 5 }, () => now);
      expect(allowedAt(rate, times)).toHaveLength(rate.burst);
    }),
  );
});

test("LIMIT-2 property: no span of time sees more than the burst and what came in by the second", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(rates, gaps, (rate, pauses) => {
      let now = 0;
      const times = pauses.map((pause) => (now += pause));
      const allowed = allowedAt(rate, times);
      for (const [index, from] of allowed.entries()) {
        const last = allowed.at(-1) ?? from;
        expect(allowed.length - index).toBeLessThanOrEqual(
          rate.burst + ((last - from) * rate.perSecond) / 1_000 + 1,
        );
      }
    }),
  );
});

test("LIMIT-3 property: who waits for as long as the refusal says is allowed, and who comes sooner is not", () => {
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 0.9, noNaN: true }), (rate, part) => {
      const fullAt = refillMs(rate) - (1_000 / rate.perSecond) * part;
      const refused = spend(rate, fullAt, 0);
      if (refused.allowed) throw new Error("an empty bucket paid");
      expect(spend(rate, fullAt, refused.waitMs).allowed).toBe(true);
      expect(spend(rate, fullAt, refused.waitMs - 2 / rate.perSecond).allowed).toBe(false);
      expect(refused.waitMs).toBeLessThanOrEqual(1_000 / rate.perSecond + 1e-6);
    }),
  );
});

test("LIMIT-4 a refusal costs nothing: however often somebody tries, the wait does not grow", () => {
  const rate = { perSecond: 10, burst: 2 };
  const times = Array.from({ length: 1_000 }, (_, index) => index);
  expect(allowedAt(rate, times)).toEqual([0, 1, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
});

test("LIMIT-4 a clock that was set back makes nobody wait for longer than an empty bucket does", () => {
  const rate = { perSecond: 2, burst: 4 };
  expect(spend(rate, 1e9, 0)).toEqual({ allowed: false, waitMs: 500 });
});
