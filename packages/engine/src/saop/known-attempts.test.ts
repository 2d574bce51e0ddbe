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
  ids.note(
    1,
    Array.from({ length: events }, (_, index) => `id-${index}`),
  );
  return { ids, facts: { dispatch, redactor, policyVersion: null } };
}
const kept = (known: ReturnType<typeof knownAttempts>, names: string) =>
  names
    .split("")
    .filter((name) => known.find(name))
    .join("");

test("attempts are dropped when their ids are too many together, first who was written longest ago", () => {
  const known = knownAttempts(470);
  for (const name of ["a", "b", "c"]) known.keep(name, attemptWith(5));
  known.keep("a", attemptWith(6));
  expect(kept(known, "abc")).toBe("abc");
  known.keep("d", attemptWith(5));
  expect(kept(known, "abcd")).toBe("acd");
});

test("one that has too many by itself is kept until the next, and what was dropped weighs nothing", () => {
  const known = knownAttempts(470);
  known.keep("l", attemptWith(5_000));
  expect(known.find("l")?.ids.size).toBe(5_000);
  known.keep("a", attemptWith(5));
  for (const name of ["b", "c"]) known.keep(name, attemptWith(5));
  expect(kept(known, "labc")).toBe("abc");
});

test("in doubt are the facts, and never the ids", () => {
  const known = knownAttempts();
  const attempt = attemptWith(5);
  known.keep("a", attempt);
  known.doubt("a");
  known.doubt("b");
  expect(known.find("a")).toEqual({ ids: attempt.ids, facts: undefined });
  expect(known.find("b")).toBeUndefined();
});
