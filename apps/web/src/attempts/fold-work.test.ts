import fc from "fast-check";
import { expect, test } from "vitest";
import { foldWork } from "./fold-work.ts";
import { readWorkEvent, type Work, type WorkEvent } from "./work-event.ts";

const numbered = (works: readonly Work[], turnIndex = 0): WorkEvent[] =>
  works.map((work, sequence) => ({ turnIndex, sequence, work }));
const thought = (text: string, final = false): Work => ({ kind: "thought", text, final });
const begun = (callId: string): Work => ({
  kind: "tool-begun",
  callId,
  tool: "grep",
  given: { path: "src" },
});
const ended = (callId: string, status = "success"): Work => ({
  kind: "tool-ended",
  callId,
  tool: "grep",
  status,
  durationMs: 12,
});
const line = (text: string): Work => ({ kind: "line", text, masked: false });

test("chunks are one thought until it is final or something else comes between", () => {
  const rows = foldWork(
    numbered([
      thought("I look "),
      thought("here", true),
      thought("and "),
      line("12 passed"),
      thought("there"),
    ]),
  );
  expect(rows.map(({ key, kind }) => [key, kind])).toEqual([
    ["turn 0", "turn"],
    ["0.0", "thought"],
    ["0.2", "thought"],
    ["0.3", "line"],
    ["0.4", "thought"],
  ]);
  expect(rows[1]).toMatchObject({ text: "I look here", open: false });
  expect(rows[4]).toMatchObject({ text: "there", open: true });
});

test("a call of a tool is one row with how it ended, also when its beginning is out of sight", () => {
  const rows = foldWork(
    numbered([begun("a"), begun("b"), line("x"), ended("a", "failure"), ended("c", "odd")]),
  );
  expect(rows.filter(({ kind }) => kind === "tool")).toMatchObject([
    { key: "0.0", state: "failure", durationMs: 12, given: { path: "src" } },
    { key: "0.1", state: "at work", durationMs: null },
    { key: "0.4", state: "unknown", durationMs: 12 },
  ]);
});

const anyWork: fc.Arbitrary<Work> = fc.oneof(
  fc.tuple(fc.string(), fc.boolean()).map(([text, final]) => thought(text, final)),
  fc.constantFrom("a", "b", "c").map(begun),
  fc.constantFrom("a", "b", "c").map((callId) => ended(callId)),
  fc.string().map(line),
);
const anyRun = fc
  .array(fc.array(anyWork, { minLength: 1, maxLength: 12 }), { maxLength: 4 })
  .map((turns) => turns.flatMap((works, turnIndex) => numbered(works, turnIndex)));

test("no word and no line is lost, doubled or moved, each key stands once, and a turn's number comes once", () => {
  fc.assert(
    fc.property(anyRun, (events) => {
      const rows = foldWork(events);
      const said = (kind: string) =>
        events.map(({ work }) => (work.kind === kind && "text" in work ? work.text : "")).join("");
      const shown = (kind: string) =>
        rows.map((row) => (row.kind === kind && "text" in row ? row.text : "")).join("");
      expect(shown("thought")).toBe(said("thought"));
      expect(shown("line")).toBe(said("line"));
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      expect(rows.filter(({ kind }) => kind === "turn").length).toBe(
        new Set(events.map(({ turnIndex }) => turnIndex)).size,
      );
    }),
  );
});

test("rows keep their keys while more comes behind them", () => {
  fc.assert(
    fc.property(anyRun, fc.nat(48), (events, cut) => {
      const before = foldWork(events.slice(0, cut)).map(({ key }) => key);
      const after = foldWork(events).map(({ key }) => key);
      expect(after.slice(0, before.length)).toEqual(before);
    }),
  );
});

test("a kept event is read, and what is none, or of a kind that is not known, is passed over", () => {
  const at = { turn_index: 2, sequence: 5 };
  const pulse = { type: "SANDBOX_PULSE", line: "[redacted:jwt]", masked: true };
  expect(readWorkEvent({ ...at, payload: pulse })).toEqual({
    turnIndex: 2,
    sequence: 5,
    work: { kind: "line", text: "[redacted:jwt]", masked: true },
  });
  const masked = { type: "TOOL_LIFECYCLE_COMPLETED", call_id: "a", tool: "sh", duration_ms: "[redacted:x]" };
  expect(readWorkEvent({ ...at, payload: masked })?.work).toMatchObject({ durationMs: null });
  for (const none of [
    null,
    "x",
    {},
    { payload: pulse },
    { ...at, payload: { type: "NEW" } },
    { ...at, sequence: -1, payload: pulse },
  ])
    expect(readWorkEvent(none)).toBeUndefined();
});
