import { AuditEventType } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdPlaced, holdReleased, retentionApplied, retentionChanged } from "./entries.ts";
import {
  findReasonFaults,
  findRetentionFaults,
  keepsLess,
  monthGoesAt,
  monthOf,
  monthsInForce,
} from "./retention.ts";

const at = (text: string) => Date.parse(text);

describe("RET-1 for how long a person may say", () => {
  test.each([null, 12, 13, 1200])("%s", (keepMonths) => {
    expect(findRetentionFaults({ keepMonths, reason: "the law of the land" })).toEqual([]);
  });

  test.each([0, 11, 1201, -12, 12.5, Number.NaN, Number.POSITIVE_INFINITY])("not %s", (keepMonths) => {
    expect(findRetentionFaults({ keepMonths, reason: "the law of the land" })).toEqual([
      {
        field: "keepMonths",
        rule: "range",
        message: `is ${keepMonths}; a whole number from 12 to 1200 is allowed, or null for ever`,
      },
    ]);
  });

  test("and not without why, nor in more than 2000 characters", () => {
    expect(findRetentionFaults({ keepMonths: 24, reason: " \n" })).toMatchObject([
      { field: "reason", rule: "required" },
    ]);
    expect(findReasonFaults("x".repeat(2000))).toEqual([]);
    expect(findReasonFaults("x".repeat(2001))).toMatchObject([{ field: "reason", rule: "max_len" }]);
  });
});

describe("RET-2 a month goes whole", () => {
  test.each([
    ["2025-01", 12, "2026-02-01T00:00:00.000Z"],
    ["2024-12", 12, "2026-01-01T00:00:00.000Z"],
    ["2024-02", 24, "2026-03-01T00:00:00.000Z"],
  ])("%s, kept for %i months, on %s", (month, months, goes) => {
    expect(new Date(monthGoesAt(month, months) ?? 0).toISOString()).toBe(goes);
  });

  test("and never where it is kept for ever", () => {
    expect(monthGoesAt("2025-01", null)).toBeNull();
    expect(() => monthGoesAt("January", 12)).toThrow(/no month/);
  });

  test("no moment of it is younger than the months in force when it goes", () => {
    const moments = fc.date({
      min: new Date("1990-01-01"),
      max: new Date("2090-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: 12, max: 1200 }), (moment, months) => {
        const goes = new Date(monthGoesAt(monthOf(moment.getTime()), months) ?? 0);
        const least = new Date(moment);
        least.setUTCDate(1);
        least.setUTCMonth(least.getUTCMonth() + months);
        expect(goes.getTime()).toBeGreaterThan(least.getTime());
        expect(goes.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
      }),
    );
  });
});

describe("RET-3 what is in force", () => {
  const said = { keepMonths: 12, earlierMonths: 60, takesEffectAt: at("2026-03-08T09:00:00Z") };

  test("for ever where nobody said anything", () => {
    expect(monthsInForce(undefined, at("2026-03-01T00:00:00Z"))).toBeNull();
  });

  test("the earlier one until the moment at which the new one takes effect", () => {
    expect(monthsInForce(said, said.takesEffectAt - 1)).toBe(60);
    expect(monthsInForce(said, said.takesEffectAt)).toBe(12);
    expect(monthsInForce({ ...said, earlierMonths: null }, said.takesEffectAt - 1)).toBeNull();
  });
});

test("RET-3 what keeps less than now is what waits a week: fewer months, and any where it was for ever", () => {
  expect([keepsLess(12, 24), keepsLess(12, null)]).toEqual([true, true]);
  expect([keepsLess(24, 24), keepsLess(25, 24), keepsLess(null, 24), keepsLess(null, null)]).not.toContain(
    true,
  );
});

test("RET-4 RET-5 RET-6 what was said, held, released and removed is an entry that says why", () => {
  const context = {
    tenantId: "east",
    requestId: "request-1",
    actor: { type: "human", id: "ada" },
  } as const;
  const said = { keepMonths: 24, earlier: null, takesEffectAt: "2026-03-08T09:00:00.000Z" };
  expect(retentionChanged(context, said, "the board")).toMatchObject({
    eventType: AuditEventType.RETENTION_CHANGED,
    action:
      "said that the record is kept for 24 months, from 2026-03-08T09:00:00.000Z on; until then for ever",
    rationale: "the board",
  });
  expect(holdPlaced(context, { holdId: "h1" }, "a claim")).toMatchObject({
    eventType: AuditEventType.RETENTION_HOLD_PLACED,
    action: "placed hold h1 on the record",
    rationale: "a claim",
  });
  expect(holdReleased(context, { holdId: "h1" }, "it was settled")).toMatchObject({
    eventType: AuditEventType.RETENTION_HOLD_RELEASED,
    rationale: "it was settled",
  });
  expect(retentionApplied(context, "2025-01")).toMatchObject({
    eventType: AuditEventType.RETENTION_APPLIED,
    action: "removed the record of 2025-01",
    actor: { id: "orchestrator" },
  });
});
