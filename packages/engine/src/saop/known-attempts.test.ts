import { compileRedactor } from "@signalbox/core";
import { expect, test } from "vitest";
import { createEventIds } from "./event-ids.ts";
import { type KnownAttempt, knownAttempts } from "./known-events.ts";

const dispatch = {
  tenantId: "t",
  pipelineId: "p",
  stageOrder: 0,
  attemptNumber: 1,
  stageId: "s",
  packId: "qa",
  open: true,
  countedAt: null,
  stageAttempt: 1,
  latestTurn: 0,
  latestStream: 0,
  now: 0,
  began: 0,
};
const redactor = compileRedactor();

function attemptWith(events: number): KnownAttempt {
  const ids = createEventIds();
  for (let index = 0; index < events; index += 1) ids.add(`id-${index}`, 1);
  return { dispatch, redactor, policyVersion: null, runs: 1, lastId: "id-0", ids };
}

test("attempts are forgotten when their ids are too many together, first who was written longest ago", () => {
  const known = knownAttempts(320);
  for (const name of ["a", "b", "c"]) known.keep(name, attemptWith(5));
  known.keep("a", attemptWith(6));
  expect(["a", "b", "c"].filter((name) => known.find(name))).toEqual(["a", "b", "c"]);
  known.keep("d", attemptWith(5));
  expect(["a", "b", "c", "d"].filter((name) => known.find(name))).toEqual(["a", "c", "d"]);
});

test("one that has too many by itself is kept until the next, and what is forgotten weighs nothing", () => {
  const known = knownAttempts(320);
  known.keep("long", attemptWith(500));
  expect(known.find("long")?.ids.size).toBe(500);
  known.keep("a", attemptWith(5));
  expect(known.find("long")).toBeUndefined();
  known.forget("a");
  for (const name of ["b", "c", "d"]) known.keep(name, attemptWith(5));
  expect(["b", "c", "d"].filter((name) => known.find(name))).toEqual(["b", "c", "d"]);
});
