import * as fc from "fast-check";
import { expect, test } from "vitest";
import { spend } from "@signalbox/core";
import { createBuckets } from "./buckets.ts";

const rate = { perSecond: 10, burst: 3 };

test("property: to forget whole generations changes no answer", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 250 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (asked) => {
      let now = 0;
      const { take } = createBuckets({ rate, most: 100, now: () => now });
      const kept = new Map<string, number>();
      for (const [subject, pause] of asked) {
        now += pause;
        const expected = spend(rate, kept.get(subject), now);
        if (expected.allowed) kept.set(subject, expected.fullAt);
        expect(take(subject)).toEqual(expected);
      }
    }),
  );
});

test("a hundred thousand addresses in a moment are forgotten as they come, and one that stays is held to its limit", () => {
  const most = 1_000;
  const { take, size } = createBuckets({ rate, most, now: () => 0 });
  let largest = 0;
  for (let index = 0; index < 100_000; index += 1) {
    take(`2001:db8:${index}::/64`);
    largest = Math.max(largest, size());
  }
  expect(largest).toBeLessThanOrEqual(2 * most);
  expect(["x", "x", "x", "x"].map((subject) => take(subject).allowed)).toEqual([true, true, true, false]);
});
