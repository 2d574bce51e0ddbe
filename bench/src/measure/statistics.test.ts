import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { median, percentile } from "./statistics.ts";

const samples = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 });

describe("median", () => {
  test("is the one in the middle, or the mean of two", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  test("has as many values above as below", () => {
    fc.assert(
      fc.property(samples, (values) => {
        const middle = median(values);
        const above = values.filter((value) => value > middle).length;
        const below = values.filter((value) => value < middle).length;
        expect(Math.max(above, below)).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  test("of nothing is refused, since 0 would look like a figure", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("percentile", () => {
  test("is the nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([3], 0.99)).toBe(3);
  });

  test("is a value that was seen, and grows with the share", () => {
    fc.assert(
      fc.property(samples, (values) => {
        expect(values).toContain(percentile(values, 0.99));
        expect(percentile(values, 0.5)).toBeLessThanOrEqual(percentile(values, 0.99));
      }),
    );
  });

  test("of nothing is refused", () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});
