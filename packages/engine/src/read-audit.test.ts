import { AuditEventType, SignalboxError } from "@signalbox/contracts";
import { ROUTINE_EVENT_TYPES } from "@signalbox/db";
import { describe, expect, test } from "vitest";
import { filterOf } from "./read-audit.ts";

const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof SignalboxError) return error.violations;
  }
  return undefined;
};

describe("words in a search of the record", () => {
  test("the routine types are those that a stage leaves which goes well", () => {
    const { DISPATCH_DECISION, DISPATCH_SENT, RESULT_RECEIVED, RESULT_VALIDATED, GATE_PASSED } =
      AuditEventType;
    expect(ROUTINE_EVENT_TYPES).toEqual([
      DISPATCH_DECISION,
      DISPATCH_SENT,
      RESULT_RECEIVED,
      RESULT_VALIDATED,
      GATE_PASSED,
    ]);
  });

  test("words of routine entries need their pipeline", () => {
    const eventType = AuditEventType.GATE_PASSED;
    expect(refusal(() => filterOf({ q: "red", eventType }))).toMatchObject([{ field: "q", rule: "routine" }]);
    expect(filterOf({ q: "red", eventType, pipelineId: "p" })).toMatchObject({ words: "red", eventType });
    expect(filterOf({ q: " red ", eventType: AuditEventType.GATE_FAILED })).toMatchObject({ words: "red" });
    expect(filterOf({ eventType })).toEqual({ eventType });
  });

  test.each([
    ["", "word"],
    ["  ", "word"],
    ["a".repeat(201), "max_len"],
    ["a\0b", "no_nul"],
  ])("%j is refused, and q is named", (q, rule) => {
    expect(refusal(() => filterOf({ q }))).toMatchObject([{ field: "q", rule }]);
  });
});

describe("a stretch of the record", () => {
  const [noon, one] = [new Date("2026-01-31T12:00:00Z"), new Date("2026-01-31T13:00:00Z")];

  test("begins before it ends, or nothing could lie in it", () => {
    const refused = [
      { field: "to", rule: "after_from", message: expect.stringContaining(one.toISOString()) },
    ];
    expect(refusal(() => filterOf({ from: one, to: noon }))).toEqual(refused);
    expect(refusal(() => filterOf({ from: one, to: one }))).toEqual(refused);
  });

  test("may be open on either side", () => {
    for (const filter of [{ from: noon, to: one }, { from: one }, { to: noon }])
      expect(filterOf(filter)).toEqual(filter);
  });
});
