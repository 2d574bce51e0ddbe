import { expect, test } from "vitest";
import { followTrains, type Train } from "./trains.ts";

const at = (stageId: string, ...dependsOn: string[]) => ({ stageId, dependsOn });
const run = (...moments: ReturnType<typeof at>[][]) =>
  moments.reduce<readonly Train[]>((before, occupied) => followTrains(before, occupied), []);

test("one train goes along a chain", () => {
  expect(run([at("a")], [at("b", "a")], [at("c", "b")])).toEqual([{ name: "train 1", stageId: "c" }]);
});

test("at a fork one goes on, and the other branch has a train of its own; a join keeps one", () => {
  const forked = run([at("a")], [at("b", "a"), at("c", "a")]);
  expect(forked).toEqual([
    { name: "train 1", stageId: "b" },
    { name: "train 2", stageId: "c" },
  ]);
  expect(followTrains(forked, [at("d", "b", "c")])).toEqual([{ name: "train 1", stageId: "d" }]);
});

test("a train that stays is not taken by a block behind it", () => {
  const before = run([at("b", "a"), at("c", "a")]);
  expect(followTrains(before, [at("c", "a"), at("d", "b")])).toEqual([
    { name: "train 2", stageId: "c" },
    { name: "train 1", stageId: "d" },
  ]);
});

test("sent back, the train goes back", () => {
  expect(run([at("a")], [at("b", "a")], [at("a")])).toEqual([{ name: "train 1", stageId: "a" }]);
});

test("an empty line has no train, and the next one is new", () => {
  expect(run([at("a")], [])).toEqual([]);
});
