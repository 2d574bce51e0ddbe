import fc from "fast-check";
import { expect, test } from "vitest";
import { keepLayout, matchLines } from "./keep-layout.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });

test("matched lines are equal and in order", () => {
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      let last = -1;
      for (const [index, place] of matchLines(one, other).entries()) {
        if (place < 0) continue;
        expect(other[place]).toBe(one[index]);
        expect(place).toBeGreaterThan(last);
        last = place;
      }
    }),
  );
});

test("every line that can be matched is", () => {
  expect([...matchLines(["a", "b", "c", "d"], ["a", "x", "c", "d"])]).toEqual([0, -1, 2, 3]);
  expect([...matchLines(["b", "a"], ["a", "b", "a"])]).toEqual([1, 2]);
});

test("what was not touched stays as it was written, and what was is as it was printed", () => {
  const written = ["a:   1", "", "", "b: [", "  1,", "  2 ]", "c: 3"].join("\n");
  const printed = ["a: 1", "", "b: [ 1, 2 ]", "c: 3"].join("\n");
  expect(keepLayout(written, printed, printed)).toBe(written);
  expect(keepLayout(written, printed, printed.replace("c: 3", "c: 4"))).toBe(written.replace("c: 3", "c: 4"));
  expect(keepLayout(written, printed, printed.replace("[ 1, 2 ]", "[ 1 ]"))).toBe(
    ["a:   1", "", "b: [ 1 ]", "c: 3"].join("\n"),
  );
});
