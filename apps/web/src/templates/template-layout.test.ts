import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTemplates } from "./template-graph.ts";
import { BLOCK, layOut, pathOf } from "./template-layout.ts";

type Waits = readonly (readonly number[])[];

const templateOf = (waits: Waits) => {
  const stages = waits.map((before, index) => ({
    stage_id: `s${index}`,
    depends_on_stages: before.map((one) => `s${one}`),
  }));
  const [template] = readTemplates({ pipeline_templates: { templates: [{ stages }] } }).templates;
  if (template === undefined) throw new Error("no template");
  return template;
};

const anyWaits = fc
  .array(fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), { minLength: 1, maxLength: 40 })
  .map((all) => all.map((before, index) => [...new Set(before.filter((one) => one < index))]));

describe("whatever waits for whatever", () => {
  test("what waits stands right of what it waits for, and no block covers another", () => {
    fc.assert(
      fc.property(anyWaits, (waits) => {
        const { boxes, width, height } = layOut(templateOf(waits));
        for (const [index, box] of boxes.entries()) {
          for (const before of waits[index] ?? []) {
            expect(box.x).toBeGreaterThanOrEqual((boxes[before]?.x ?? Infinity) + BLOCK.width);
          }
          expect(box.x + BLOCK.width).toBeLessThanOrEqual(width);
          expect(box.y + BLOCK.height).toBeLessThanOrEqual(height);
          for (const other of boxes.slice(index + 1)) {
            const apart =
              Math.abs(box.x - other.x) >= BLOCK.width || Math.abs(box.y - other.y) >= BLOCK.height;
            expect(apart).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test("a column has the order of the document", () => {
    fc.assert(
      fc.property(anyWaits, (waits) => {
        const { boxes } = layOut(templateOf(waits));
        for (const [index, box] of boxes.entries()) {
          const behind = boxes.slice(index + 1).filter(({ column }) => column === box.column);
          expect(behind.filter(({ y }) => y <= box.y)).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("a circle, an unknown stage and an id twice are drawn as far as they can be", () => {
  const circle = layOut(templateOf([[2], [0], [1], [3], [9]]));
  expect(circle.boxes).toHaveLength(5);
  const [doubled] = readTemplates({
    pipeline_templates: {
      templates: [
        { stages: [{ stage_id: "a" }, { stage_id: "a" }, { stage_id: "b", depends_on_stages: ["a"] }] },
      ],
    },
  }).templates;
  expect(doubled && layOut(doubled).routes).toHaveLength(1);
});

test("a line ends where its stages begin", () => {
  const { boxes, routes } = layOut(templateOf([[], [0], [0, 1]]));
  for (const { line, points } of routes) {
    const from = boxes[Number(line.from.slice(1))];
    const to = boxes[Number(line.to.slice(1))];
    expect(points[0]?.x).toBe((from?.x ?? 0) + BLOCK.width);
    expect(points.at(-1)?.x).toBe(to?.x);
  }
  expect(routes.map(({ points }) => points.length)).toEqual([2, 4, 2]);
});

test("a line runs level, and slants between", () => {
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ]),
  ).toBe("M0 0L100 0");
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 100, y: 40 },
    ]),
  ).toBe("M0 0H30L70 40L100 40");
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 100, y: 400 },
    ]),
  ).toBe("M0 0H20L80 400L100 400");
  expect(pathOf([])).toBe("");
});
