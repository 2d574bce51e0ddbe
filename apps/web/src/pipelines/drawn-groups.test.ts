import fc from "fast-check";
import { expect, test } from "vitest";
import { drawnGroups } from "./drawn-groups.ts";

const many = Array.from({ length: 200 }, () => 3_600);
const drawn = (parts: ReturnType<typeof drawnGroups>) =>
  parts.filter(({ kind }) => kind === "rows").map(({ group }) => group);

test("a short list is drawn whole, so that the browser's own search finds every row", () => {
  expect(drawn(drawnGroups(many.slice(0, 8), { top: 0, height: 800 }, undefined))).toHaveLength(8);
});

test("of a long one, what is within a screen of what is seen", () => {
  expect(drawn(drawnGroups(many, { top: 0, height: 800 }, undefined))).toEqual([0]);
  expect(drawn(drawnGroups(many, { top: 36_000 - 100, height: 800 }, undefined))).toEqual([9, 10]);
});

test("the group that has the focus stays, however far it was scrolled away from", () => {
  expect(drawn(drawnGroups(many, { top: 360_000, height: 800 }, 3))).toEqual([3, 99, 100]);
});

test("rows and room together are always as tall as the list, and in its order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 60 }),
      fc.integer({ min: -5_000, max: 500_000 }),
      fc.option(fc.nat(59), { nil: undefined }),
      (heights, top, focused) => {
        const parts = drawnGroups(heights, { top, height: 900 }, focused);
        const total = parts.reduce(
          (sum, part) => sum + (part.kind === "room" ? part.height : (heights[part.group] ?? 0)),
          0,
        );
        expect(total).toBe(heights.reduce((sum, height) => sum + height, 0));
        expect(parts.map(({ group }) => group)).toEqual(
          parts.map(({ group }) => group).toSorted((one, other) => one - other),
        );
      },
    ),
  );
});
