import { AuditEventType } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  activityMeasures,
  activityNames,
  activityOf,
  activityRanges,
  activitySpans,
  MOST_IN_A_SPAN,
} from "./activity.ts";

const now = Date.parse("2026-03-08T09:17:23.456Z");
const moment = (ms: number) => new Date(ms).toISOString();

describe("METRIC-3 the spans of a range", () => {
  test.each([
    ["hour", "2026-03-08T08:20:00.000Z", 12],
    ["day", "2026-03-07T10:00:00.000Z", 24],
    ["week", "2026-03-01T12:00:00.000Z", 28],
  ] as const)("an %s begins at %s in %i spans", (range, from, count) => {
    const spans = activitySpans(range, now);
    expect([moment(spans.from), spans.count]).toEqual([from, count]);
  });

  test("the last one is under way, and none is left out", () => {
    fc.assert(
      fc.property(fc.constantFrom(...activityRanges), fc.integer({ min: 1e12, max: 4e12 }), (range, at) => {
        const { from, stepMs, count } = activitySpans(range, at);
        expect(from % stepMs).toBe(0);
        expect(from + (count - 1) * stepMs).toBeLessThanOrEqual(at);
        expect(from + count * stepMs).toBeGreaterThan(at);
      }),
    );
  });
});

test("METRIC-3 each measure counts its own entries, span by span, and says where it counted no further", () => {
  const { GATE_FAILED, GATE_REJECTED, DISPATCH_SENT } = AuditEventType;
  const spans = activitySpans("hour", now);
  const counted = [
    { eventType: GATE_FAILED, span: 3, count: 2 },
    { eventType: GATE_REJECTED, span: 3, count: 1 },
    { eventType: GATE_REJECTED, span: 11, count: 4 },
    { eventType: DISPATCH_SENT, span: 0, count: MOST_IN_A_SPAN },
  ];
  const activity = new Map(activityOf(counted, spans).map((one) => [one.measure, one]));
  expect([...activity.keys()]).toEqual(activityNames);
  expect(activity.get("gatesFailed")).toMatchObject({
    counts: [0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4],
    total: 7,
    isLeast: false,
  });
  expect(activity.get("dispatchesSent")).toMatchObject({ total: MOST_IN_A_SPAN, isLeast: true });
  expect(activity.get("questionsAsked")).toMatchObject({
    total: 0,
    counts: Array.from({ length: 12 }, () => 0),
  });
});

test("METRIC-3 no entry is counted by two measures", () => {
  const types = Object.values(activityMeasures).flat();
  expect(new Set(types).size).toBe(types.length);
});
