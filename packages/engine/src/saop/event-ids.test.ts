import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventIds } from "./event-ids.ts";

const idOf = (index: number) => `0199a7c0-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

test("each id that was added is found in its run, and hardly another", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 400 }), (ids) => {
      const [added, strange] = [ids.slice(1), ids[0] ?? ""];
      const known = createEventIds();
      for (let from = 0; from < added.length; from += 4)
        known.note(1 + (from >> 2), added.slice(from, from + 4));
      expect(known.size).toBe(added.length);
      for (const [index, id] of added.entries()) expect(known.runsOf(id)).toContain(1 + (index >> 2));
      return known.runsOf(strange).length < 2;
    }),
  );
});

test("a run that was noted is not noted again, and the last is told", () => {
  const known = createEventIds();
  expect([known.lastRun, known.lastId, known.size]).toEqual([0, "", 0]);
  for (const run of [1, 2, 2, 1]) known.note(run, [`${run}-first`, `${run}-second`]);
  expect([known.lastRun, known.lastId, known.size]).toEqual([2, "2-first", 4]);
  expect([known.has("1-SECOND"), known.has("3-first")]).toEqual([true, false]);
});

test("an id that stands in two runs names both, each once", () => {
  const known = createEventIds();
  for (const run of [3, 8, 3]) known.note(run, ["a", "a"]);
  expect(new Set(known.runsOf("a"))).toEqual(new Set([3, 8]));
  expect(known.runsOf("a")).toHaveLength(2);
  expect(known.runsOf("b")).toEqual([]);
});

test("of a hundred thousand ids that differ in a digit few share their mark", () => {
  const known = createEventIds();
  for (let index = 0; index < 100_000; index += 1) known.note(index + 1, [idOf(index)]);
  let doubtful = 0;
  for (let index = 100_000; index < 200_000; index += 1) doubtful += known.runsOf(idOf(index)).length;
  expect(doubtful).toBeLessThan(50);
});
