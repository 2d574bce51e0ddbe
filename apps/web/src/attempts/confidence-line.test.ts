import fc from "fast-check";
import { expect, test } from "vitest";
import { confidenceInWords, confidencePoints, linePath } from "./confidence-line.ts";

const box = { width: 100, height: 40 };
const lowest = (of: readonly { confidence: number }[]) =>
  Math.min(2, ...of.map(({ confidence }) => confidence));
const claim = (turnIndex: number, confidence: number) => ({ turnIndex, confidence });

test("the line runs from the first turn to the last, sure is up", () => {
  const points = confidencePoints([claim(2, 1), claim(3, 0.5), claim(6, 0)], box);
  expect(points.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [25, 20],
    [100, 40],
  ]);
  expect(linePath(points)).toBe("M0 0 L25 20 L100 40");
  expect(linePath(confidencePoints([claim(7, 0.25)], box))).toBe("M50 30");
  expect(linePath([])).toBe("");
});

test("however many turns and whatever they claim, every point is in the box and in order, and the lowest is there", () => {
  const claims = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3_000 })
    .map((all) => all.map((confidence, index) => claim(index, confidence)));
  fc.assert(
    fc.property(claims, (all) => {
      const points = confidencePoints(all, box);
      expect(points.length).toBeLessThanOrEqual(Math.min(all.length, 404));
      for (const [index, { x, y }] of points.entries()) {
        expect(x >= (points[index - 1]?.x ?? 0) && x <= box.width && y >= 0 && y <= box.height).toBe(true);
      }
      expect(lowest(points)).toBe(lowest(all));
      expect(points.at(-1)?.turnIndex).toBe(all.at(-1)?.turnIndex);
    }),
    { numRuns: 50 },
  );
});

test("the line is told in words too", () => {
  expect(confidenceInWords([])).toBe("No turn has said how sure the agent is.");
  expect(confidenceInWords([claim(0, 0.8)])).toBe("Confidence 80 % at turn 0.");
  expect(confidenceInWords([claim(0, 0.8), claim(1, 0.3), claim(2, 0.5)])).toBe(
    "Confidence over 3 turns: last 50 % at turn 2, lowest 30 % at turn 1.",
  );
});
