import fc from "fast-check";
import { expect, test } from "vitest";
import {
  firstMissing,
  gapsIn,
  holdsSequence,
  nextSequence,
  type SequenceRanges,
  withNext,
  withSequence,
} from "./sequence-ranges.ts";

test("SAOP-5 ranges hold what was put in, and nothing else, whatever order it came in", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 30 }), (sequences) => {
      let ranges: SequenceRanges = [];
      for (const sequence of sequences) ranges = withSequence(ranges, sequence);
      const all = Array.from({ length: 43 }, (_, sequence) => sequence);
      expect(all.filter((sequence) => holdsSequence(ranges, sequence))).toEqual(
        sequences.toSorted((one, other) => one - other),
      );
      expect(firstMissing(ranges)).toBe(all.find((sequence) => !sequences.includes(sequence)));
      expect(nextSequence(ranges)).toBe(Math.max(-1, ...sequences) + 1);
      const sorted = sequences.toSorted((one, other) => one - other);
      expect(gapsIn(ranges)).toBe(
        sorted.filter((one, index) => one !== (sorted[index - 1] ?? -1) + 1).length,
      );
    }),
  );
});

test("SAOP-5 several behind all that have come are as one after the other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 20 })), fc.nat({ max: 9 }), (sequences, count) => {
      const before = sequences.reduce<SequenceRanges>(withSequence, []);
      let after = before;
      for (let place = 0; place < count; place += 1) after = withSequence(after, nextSequence(after));
      expect(withNext(before, count)).toEqual(after);
    }),
  );
});
