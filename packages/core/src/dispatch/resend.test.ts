import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideResend, jitteredBackoffMs } from "./resend.ts";

const retry = { maxAttempts: 3, initialBackoffMs: 1_000, backoffMultiplier: 2, maxBackoffMs: 3_000 };

test("DSP-90: a backoff grows to its longest, and chance takes up to half of it", () => {
  expect([1, 2, 3, 4].map((used) => jitteredBackoffMs(retry, used, 0))).toEqual([1_000, 2_000, 3_000, 3_000]);
  expect([1, 2, 3].map((used) => jitteredBackoffMs(retry, used, 0.5))).toEqual([750, 1_500, 2_250]);
});

test("DSP-90: no policy, count or chance makes a wait that is not between half and the whole of the longest", () => {
  const plans = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 1_000_000 }),
    initialBackoffMs: fc.integer({ min: 1, max: 31_622_400_000 }),
    backoffMultiplier: fc.double({ min: 1, max: 100, noNaN: true }),
    maxBackoffMs: fc.integer({ min: 1, max: 31_622_400_000 }),
  });
  fc.assert(
    fc.property(
      plans,
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (plan, used, jitter) => {
        const whole = jitteredBackoffMs(plan, used, 0);
        const wait = jitteredBackoffMs(plan, used, jitter);
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(whole / 2);
        expect(wait).toBeLessThanOrEqual(Math.min(whole, plan.maxBackoffMs));
        expect(jitteredBackoffMs(plan, used + 1, 0)).toBeGreaterThanOrEqual(whole);
      },
    ),
  );
});

test("DSP-91: what could not be sent is sent again until its attempts are used or its deadline is nearer", () => {
  const ask = { jitter: 0, deadlineAt: undefined };
  expect(decideResend(retry, { sends: 1, ...ask }, 5_000)).toEqual({ kind: "resend", at: 6_000 });
  expect(decideResend(retry, { sends: 2, ...ask }, 5_000)).toEqual({ kind: "resend", at: 7_000 });
  expect(decideResend(retry, { sends: 3, ...ask }, 5_000)).toEqual({ kind: "give-up", why: "attempts-used" });
  expect(decideResend(retry, { sends: 1, jitter: 0, deadlineAt: 6_000 }, 5_000)).toEqual({
    kind: "give-up",
    why: "deadline",
  });
});
