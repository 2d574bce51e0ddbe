import fc from "fast-check";
import { expect, test } from "vitest";
import { diffKeys } from "./key-diff.ts";

test("what came, went and is another now stands by its path", () => {
  const before = { inputs: { file: "a.ts", lines: 3 }, taskDelta: "x", risks: ["one"] };
  const after = { inputs: { file: "b.ts", lines: 3 }, risks: ["one", "two"], memo: null };
  expect(diffKeys(before, after).map(({ path, change }) => `${path} ${change}`)).toEqual([
    "inputs.file changed",
    "inputs.lines same",
    "taskDelta removed",
    "risks[0] same",
    "risks[1] added",
    "memo added",
  ]);
});

test.each([
  [undefined, undefined],
  [null, undefined],
  [{}, {}],
  [{}, null],
  [{ memo: {}, list: [] }, { memo: { deeper: [] } }],
])("%j and %j have no keys", (before, after) => {
  expect(diffKeys(before, after)).toEqual([]);
});

test("a value against itself has the same keys, and the other way round what was added was removed", () => {
  const json = fc.jsonValue();
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(diffKeys(one, one).every(({ change }) => change === "same")).toBe(true);
      const turned = { added: "removed", removed: "added", same: "same", changed: "changed" };
      const there = diffKeys(one, other).map(({ path, change }) => `${path} ${turned[change]}`);
      const back = diffKeys(other, one).map(({ path, change }) => `${path} ${change}`);
      expect(there.toSorted()).toEqual(back.toSorted());
    }),
  );
});
