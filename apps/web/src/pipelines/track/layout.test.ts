import { expect, test } from "vitest";
import { blockHeight, blockWidth, layOut } from "./layout.ts";

const stage = (stageId: string, ...dependsOn: string[]) => ({ stageId, dependsOn });
const placeOf = (layout: ReturnType<typeof layOut>, stageId: string) => layout.blocks.get(stageId);

test("a chain lies on one straight line, in its order", () => {
  const layout = layOut([stage("a"), stage("b", "a"), stage("c", "b")]);
  const [a, b, c] = ["a", "b", "c"].map((id) => placeOf(layout, id));
  expect(new Set([a?.y, b?.y, c?.y]).size).toBe(1);
  expect([a?.x, b?.x, c?.x]).toEqual([a?.x, b?.x, c?.x].toSorted((one, two) => Number(one) - Number(two)));
  expect(layout.links.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^M\d+ \d+H\d+$/),
    expect.stringMatching(/^M\d+ \d+H\d+$/),
  ]);
});

test("branches lie beside each other, and the join behind the longer of them", () => {
  const layout = layOut([
    stage("a"),
    stage("b", "a"),
    stage("c", "a"),
    stage("d", "c"),
    stage("e", "b", "d"),
  ]);
  expect(placeOf(layout, "b")?.x).toBe(placeOf(layout, "c")?.x);
  expect(placeOf(layout, "b")?.y).not.toBe(placeOf(layout, "c")?.y);
  expect(Number(placeOf(layout, "e")?.x)).toBeGreaterThan(Number(placeOf(layout, "d")?.x));
  expect(layout.links).toHaveLength(5);
});

test("no two blocks overlap and all lie inside, whatever two hundred stages depend on", () => {
  const stages = Array.from({ length: 200 }, (_, index) =>
    stage(
      `s${index}`,
      ...[index - 1, index - 7, Math.floor(index / 3)]
        .filter((one, place, all) => one >= 0 && one < index && all.indexOf(one) === place)
        .filter((one) => (one * 7 + index) % 3 !== 0)
        .map((one) => `s${one}`),
    ),
  );
  const layout = layOut(stages);
  const blocks = [...layout.blocks.values()];
  expect(blocks).toHaveLength(200);
  for (const [index, one] of blocks.entries()) {
    expect(one.x + blockWidth).toBeLessThanOrEqual(layout.width);
    expect(one.y + blockHeight).toBeLessThanOrEqual(layout.height);
    for (const other of blocks.slice(index + 1)) {
      const apart = Math.abs(one.x - other.x) >= blockWidth || Math.abs(one.y - other.y) >= blockHeight;
      expect(apart, `${one.stageId} and ${other.stageId}`).toBe(true);
    }
  }
});

test("a dependency that is not there is no line, and no stage at all is an empty board", () => {
  expect(layOut([stage("a", "nobody")]).links).toEqual([]);
  expect(layOut([]).blocks.size).toBe(0);
});
