import { Outcome } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BreakerEvent,
  breakerPhase,
  type BreakerState,
  breakerVerdict,
  closedBreaker,
  stepBreaker,
} from "./breaker.ts";

const settings = { errorThreshold: 3, windowMs: 60_000, halfOpenAfterMs: 120_000 };
const failed = (dispatchId = "d"): BreakerEvent => ({ kind: "failed", dispatchId });
const after = (events: [number, BreakerEvent][], from: BreakerState = closedBreaker) =>
  events.reduce<BreakerState>((state, [now, event]) => stepBreaker(state, event, settings, now), from);
const opened = after([
  [0, failed()],
  [1_000, failed()],
  [2_000, failed()],
]);

test("DSP-30 (D5): a breaker opens at the threshold within the window, and not before", () => {
  const two = after([
    [0, failed()],
    [1_000, failed()],
  ]);
  expect(two).toEqual({ kind: "closed", failures: [0, 1_000] });
  expect(stepBreaker(two, failed(), settings, 2_000)).toEqual({ kind: "open", openedAt: 2_000 });
  expect(stepBreaker(two, failed(), settings, 60_500)).toEqual({ kind: "closed", failures: [1_000, 60_500] });
  expect(stepBreaker(two, failed(), settings, 60_000)).toEqual({ kind: "closed", failures: [1_000, 60_000] });
});

test("DSP-30 (D5): a success between failures takes none of them back", () => {
  const state = after([
    [0, failed()],
    [1_000, { kind: "succeeded", dispatchId: "s" }],
    [2_000, failed()],
    [3_000, failed()],
  ]);
  expect(state.kind).toBe("open");
});

test("DSP-31 (D5): an open breaker lets nothing through until its time, and then one probe", () => {
  expect(breakerPhase(opened, settings, 121_999)).toBe("open");
  expect(breakerPhase(opened, settings, 122_000)).toBe("half-open");
  const probing = stepBreaker(opened, { kind: "dispatched", dispatchId: "probe" }, settings, 122_000);
  expect(probing).toEqual({ kind: "probing", openedAt: 2_000, dispatchId: "probe" });
  expect(breakerPhase(probing, settings, 999_999_999)).toBe("probing");
});

describe("DSP-32 (D5): only the probe's end moves a breaker that is being probed", () => {
  const probing: BreakerState = { kind: "probing", openedAt: 2_000, dispatchId: "probe" };
  test.each<[BreakerEvent["kind"], string, BreakerState]>([
    ["succeeded", "probe", closedBreaker],
    ["failed", "probe", { kind: "open", openedAt: 130_000 }],
    ["cancelled", "probe", { kind: "open", openedAt: 2_000 }],
    ["dispatched", "probe", probing],
    ["succeeded", "older", probing],
    ["failed", "older", probing],
    ["cancelled", "older", probing],
    ["looked-at", "", probing],
  ])("%s of %s", (kind, dispatchId, next) => {
    const event: BreakerEvent = kind === "looked-at" ? { kind } : { kind, dispatchId };
    expect(stepBreaker(probing, event, settings, 130_000)).toEqual(next);
  });

  test("after a probe that was cancelled the next dispatch may be the probe", () => {
    const cancelled = stepBreaker(probing, { kind: "cancelled", dispatchId: "probe" }, settings, 130_000);
    expect(breakerPhase(cancelled, settings, 130_000)).toBe("half-open");
  });
});

test("DSP-32 (D5): what was dispatched before it opened changes an open breaker no more", () => {
  expect(stepBreaker(opened, failed("late"), settings, 50_000)).toBe(opened);
  expect(stepBreaker(opened, { kind: "succeeded", dispatchId: "late" }, settings, 50_000)).toBe(opened);
});

test("DSP-33 (D5): what counts: failures open, success and partial close, blocked by policy says nothing", () => {
  expect(
    [
      Outcome.SUCCESS,
      Outcome.PARTIAL,
      Outcome.RETRYABLE_FAILURE,
      Outcome.NON_RETRYABLE_FAILURE,
      Outcome.POLICY_BLOCKED,
    ].map(breakerVerdict),
  ).toEqual(["succeeded", "succeeded", "failed", "failed", "cancelled"]);
});

const openedAtOf = (state: BreakerState) => (state.kind === "closed" ? undefined : state.openedAt);

describe("DSP-34 (D5): a clock that jumps", () => {
  test("back, keeps a breaker open no longer than half_open_after from the moment it is noticed", () => {
    const noticed = stepBreaker(opened, { kind: "looked-at" }, settings, -1_000_000);
    expect(noticed).toEqual({ kind: "open", openedAt: -1_000_000 });
    expect(breakerPhase(noticed, settings, -1_000_000 + 120_000)).toBe("half-open");
  });

  const events = fc.array(
    fc.tuple(
      fc.integer({ min: -200_000, max: 200_000 }),
      fc.constantFrom("dispatched", "succeeded", "failed", "cancelled", "looked-at"),
      fc.constantFrom("a", "b", "c"),
    ),
    { maxLength: 60 },
  );

  test("anywhere, leaves a breaker that recovers: after a look and half_open_after it is closed or can be closed", () => {
    fc.assert(
      fc.property(events, (steps) => {
        let now = 0;
        let state: BreakerState = closedBreaker;
        for (const [jump, kind, dispatchId] of steps) {
          now += jump;
          state = stepBreaker(state, kind === "looked-at" ? { kind } : { kind, dispatchId }, settings, now);
          const failures = state.kind === "closed" ? state.failures : [];
          expect(failures.length).toBeLessThan(settings.errorThreshold);
          // A moment after `now` is only ever kept by a state that no event has met since the jump.
          expect(Math.max(...failures, state.kind === "open" ? state.openedAt : now)).toBeLessThanOrEqual(
            now,
          );
        }
        if (state.kind === "probing") {
          state = stepBreaker(state, { kind: "cancelled", dispatchId: state.dispatchId }, settings, now);
        }
        state = stepBreaker(state, { kind: "looked-at" }, settings, now);
        expect(["closed", "half-open"]).toContain(
          breakerPhase(state, settings, now + settings.halfOpenAfterMs),
        );
      }),
    );
  });

  test("nowhere: while a probe runs nothing is let through, and when it fails the breaker is open from then on", () => {
    const steps = fc.array(fc.tuple(fc.nat(100_000), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (times) => {
        let now = 2_000;
        let state = opened;
        for (const [index, [passed, ends]] of times.entries()) {
          now += passed;
          const before = state;
          const admits = ["closed", "half-open"].includes(breakerPhase(before, settings, now));
          const dispatchId = before.kind === "probing" ? before.dispatchId : `d${index}`;
          state = stepBreaker(before, { kind: "dispatched", dispatchId: `d${index}` }, settings, now);
          expect(state).toEqual(
            admits ? { kind: "probing", openedAt: openedAtOf(before), dispatchId } : before,
          );
          if (ends) state = stepBreaker(state, failed(dispatchId), settings, now);
          const failedNow = ends && (admits || before.kind === "probing");
          expect(failedNow ? state : undefined).toEqual(
            failedNow ? { kind: "open", openedAt: now } : undefined,
          );
        }
      }),
    );
  });
});
