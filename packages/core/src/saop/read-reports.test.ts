import { SignalboxError } from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import { describe, expect, test } from "vitest";
import { compileRedactor } from "../redaction/redactor.ts";
import { commitIn } from "./commit-in.ts";
import { HIGHEST_PLACE, MOST_EVENTS } from "./limits.ts";
import { maskTurn } from "./mask-report.ts";
import { readEvents, readTurn } from "./read-reports.ts";
import { aCall, aPulse, aThought, aTurn } from "./testing/reports.ts";
import { turnsOfEvents } from "./turn-of-event.ts";

const fieldsOf = (work: () => unknown): string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "VALIDATION_FAILED")
      return error.violations.map(({ field }) => field);
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("SAOP-1", () => {
  test("a turn is read, with fields that a later version adds", () => {
    expect(readTurn({ ...aTurn(0), added_later: 1 })).toMatchObject({ turn_index: 0, added_later: 1 });
  });

  test("a turn's faults are all told", () => {
    const wrong = { ...aTurn(0), turn_index: -1, role: "cook" };
    expect(fieldsOf(() => readTurn(wrong))).toEqual(["turn_index", "role"]);
    expect(fieldsOf(() => readTurn(aTurn(HIGHEST_PLACE + 1)))).toEqual(["turn_index"]);
    expect(fieldsOf(() => readTurn([]))).toEqual([""]);
  });

  test("an event's faults are told by its place in the batch", () => {
    const batch = [
      aPulse(1, "a"),
      { ...aPulse(2, "b"), event_id: "2", sequence: -1 },
      aThought(3, "c", { turn_index: HIGHEST_PLACE + 1 }),
      7,
    ];
    expect(fieldsOf(() => readEvents(batch))).toEqual([
      "[1].event_id",
      "[1].sequence",
      "[2].payload.turn_index",
      "[3]",
    ]);
  });

  test("an event that names two turns is refused", () => {
    expect(fieldsOf(() => readEvents([{ ...aThought(1, "a", { turn_index: 2 }), turn_index: 3 }]))).toEqual([
      "[0].turn_index",
    ]);
  });

  test.each([0, MOST_EVENTS + 1])("a batch of %d events is refused", (length) => {
    expect(fieldsOf(() => readEvents(Array.from({ length }, () => aPulse(1, "a"))))).toEqual([""]);
  });
});

test("SAOP-4 an event belongs to the turn it names, to that of the one before it, or to the latest", () => {
  const events = [
    aPulse(1, "a"),
    aThought(2, "b", { turn_index: 7 }),
    aCall(3, {}),
    aPulse(4, "c", { turn_index: 3 }),
    aPulse(5, "d"),
  ];
  expect(turnsOfEvents(events, 5)).toEqual([5, 7, 7, 3, 3]);
});

const moved = (number: number, gitHash?: string): Event => ({
  ...aPulse(number, ""),
  payload: {
    type: "TASK_TRANSITION",
    task_id: "t",
    from_state: "a",
    to_state: "b",
    ...(gitHash === undefined ? {} : { git_hash: gitHash }),
    timestamp: "2026-02-21T09:30:00Z",
  },
});

test("SAOP-32 the last hash of git in a batch is the commit; what is none is only said", () => {
  const hash = "9fceb02d0ae598e95dc970b74767f19372d61af8";
  expect(commitIn([moved(1, "9fceb02"), moved(2, hash), moved(3), aPulse(4, "9fceb0f")])).toBe(hash);
  for (const said of ["", "HEAD", "main; rm -rf /", "9fceb0", "9FCEB02", "a".repeat(65)])
    expect(commitIn([moved(1, said)])).toBeUndefined();
});

test("SAOP-12 a turn is kept verbatim but for its secrets, however long", () => {
  const thought = "because ".repeat(100_000);
  const token = `ghp_${"aB3dE6gH9".repeat(4)}`;
  const { value, marks } = maskTurn(compileRedactor(), aTurn(4, { thought, action: `use ${token} now` }));
  expect(value).toEqual(aTurn(4, { thought, action: "use [redacted:github-token] now" }));
  expect(marks).toEqual([{ path: "content.action", rule: "github-token", count: 1 }]);
});
