import { expect, test } from "vitest";
import { attemptsBefore } from "./attempts-before.ts";

const at = (stageId: string, attemptNumber: number) => ({ stageId, attemptNumber });
const all = [at("implement", 1), at("review", 1), at("implement", 2)];

test("a stage that was tried is told by its own attempts, up to the one that asked", () => {
  expect(attemptsBefore(all, at("implement", 1))).toEqual({
    own: true,
    named: false,
    shown: [at("implement", 1), at("implement", 2)],
    latest: at("implement", 1),
  });
});

test("a stage that nobody had is told by what came before it, and not as if nothing had", () => {
  expect(attemptsBefore(all, at("verify", 1))).toEqual({
    own: false,
    named: true,
    shown: all,
    latest: undefined,
  });
});

test("a question of the whole pipeline is told by every attempt", () => {
  const { own, named, shown } = attemptsBefore(all, { stageId: null, attemptNumber: 0 });
  expect({ own, named, shown }).toEqual({ own: true, named: true, shown: all });
  expect(attemptsBefore([], { stageId: null, attemptNumber: 0 })).toMatchObject({ own: false, shown: [] });
});
