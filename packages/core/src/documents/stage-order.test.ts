import * as fc from "fast-check";
import { expect, test } from "vitest";
import { orderStages, type StageOutline } from "./stage-order.ts";

const stages = (outline: Record<string, string[]>): StageOutline[] =>
  Object.entries(outline).map(([stageId, dependsOn]) => ({ stageId, dependsOn }));

test("DOC-13: a diamond is ordered, its branches as they stand", () => {
  const diamond = stages({
    verify: ["security", "review"],
    security: ["implement"],
    review: ["implement"],
    implement: [],
  });
  const { order, cycles, unreachable } = orderStages(diamond);
  expect(order.map((index) => diamond[index]?.stageId)).toEqual([
    "implement",
    "security",
    "review",
    "verify",
  ]);
  expect({ cycles, unreachable }).toEqual({ cycles: [], unreachable: [] });
});

test("DOC-13: each circle is named along its way, and what waits for one is told apart", () => {
  const outline = stages({ a: ["c"], b: ["a"], c: ["b"], d: ["c"], e: ["e"], f: ["d"], g: [] });
  const { order, cycles, unreachable } = orderStages(outline);
  expect(cycles).toEqual([["a", "c", "b"], ["e"]]);
  expect(unreachable.map((index) => outline[index]?.stageId)).toEqual(["d", "f"]);
  expect(order.map((index) => outline[index]?.stageId)).toEqual(["g"]);
});

test("DOC-13: circles that share a stage are both told", () => {
  expect(orderStages(stages({ a: ["b", "c"], b: ["a"], c: ["a"] })).cycles).toEqual([
    ["a", "b"],
    ["c", "a"],
  ]);
});

test("DOC-13: every stage is ordered after its dependencies, or in a circle, or behind one", () => {
  const graphs = fc
    .integer({ min: 1, max: 8 })
    .chain((size) =>
      fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
    )
    .map((edges) =>
      edges.map((dependsOn, index) => ({ stageId: `${index}`, dependsOn: dependsOn.map(String) })),
    );
  fc.assert(
    fc.property(graphs, (graph) => {
      const { order, cycles, unreachable } = orderStages(graph);
      const circling = new Set(cycles.flat());
      expect(order.length + circling.size + unreachable.length).toBe(graph.length);
      for (const [position, index] of order.entries()) {
        const before = new Set(order.slice(0, position).map(String));
        expect(graph[index]?.dependsOn.filter((id) => !before.has(id))).toEqual([]);
      }
      for (const cycle of cycles) {
        for (const [position, id] of cycle.entries()) {
          expect(graph[Number(id)]?.dependsOn).toContain(cycle[(position + 1) % cycle.length]);
        }
      }
    }),
  );
});
