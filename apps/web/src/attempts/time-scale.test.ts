import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";
import { around, moved, seen, shownOf, ticksOf, type View, zoomed } from "./time-view.ts";

const at = (ms: number) => new Date(ms).toISOString();
const span = (spanId: string, parentSpanId: string, from: number, to: number | null) => ({
  spanId,
  parentSpanId,
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
});
const hour = 3_600_000;
/** Two attempts of a second, and three hours between them in which a person did not answer. */
const waited = [
  span("root", "", 0, 3 * hour + 2_000),
  span("stage", "root", 0, 3 * hour + 2_000),
  span("one", "stage", 0, 1_000),
  span("two", "stage", 3 * hour + 1_000, 3 * hour + 2_000),
];

describe("the scale of a waterfall", () => {
  test("draws what nobody worked in short, and says how long it was", () => {
    const scale = timeScale(waited, 0, true);
    expect(scale.waits).toMatchObject([{ from: 1_000, until: 3 * hour + 1_000 }]);
    const [wait] = scale.waits;
    expect((wait?.to ?? 0) - (wait?.at ?? 0)).toBeLessThan(0.1);
    expect(scale.place(1_000)).toBeGreaterThan(0.4);
    expect(timeScale(waited, 0, false).waits).toEqual([]);
    expect(timeScale(waited, 0, false).place(1_000)).toBeLessThan(0.001);
  });

  test("leaves work as long as it was, and what is at work now is no wait", () => {
    expect(timeScale([span("root", "", 0, null), span("a", "root", 0, null)], hour, true).waits).toEqual([]);
    expect(timeScale([], 5, true)).toMatchObject({ first: 5, last: 5, waits: [] });
  });

  test("leads from a moment to its place and back, always forwards, whatever the times", () => {
    const some = fc.array(fc.tuple(fc.nat(hour), fc.nat(hour)), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(some, fc.boolean(), (times, shortened) => {
        const spans = times.map(([from, took], index) => span(`s${index}`, "", from * 40, from * 40 + took));
        const scale = timeScale(spans, 0, shortened);
        const moments = [scale.first, ...times.map(([from]) => from * 40), scale.last].toSorted(
          (a, b) => a - b,
        );
        const places = moments.map(scale.place);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const [index, place] of places.entries()) {
          expect(place >= 0 && place <= 1.000_001).toBe(true);
          expect(Math.abs(scale.timeAt(place) - (moments[index] ?? 0))).toBeLessThan(1);
        }
      }),
    );
  });
});

describe("what is shown of it", () => {
  const scale = timeScale(waited, 0, true);
  const widthOf = (view: View) => {
    const { from, to } = shownOf(scale, view);
    return to - from;
  };

  test("zooming keeps what lies below the pointer there, and ends at a millisecond and at the whole", () => {
    const { from, to } = shownOf(scale, zoomed(scale, null, { factor: 4, at: 0.25 }));
    expect(to - from).toBeCloseTo(0.25);
    expect(from + 0.25 * (to - from)).toBeCloseTo(0.25);
    expect(zoomed(scale, zoomed(scale, null, { factor: 4, at: 0.25 }), { factor: 0.1, at: 0.5 })).toBeNull();
    const deepest = zoomed(scale, null, { factor: 1e12, at: 0.1 });
    expect(widthOf(deepest) * scale.drawnMs).toBeCloseTo(1);
  });

  test("it moves no further than both ends", () => {
    const view = zoomed(scale, null, { factor: 10, at: 0 });
    expect(shownOf(scale, moved(scale, view, -5)).from).toBe(0);
    expect(shownOf(scale, moved(scale, view, 500)).to).toBeCloseTo(1);
    expect(moved(scale, null, 1)).toBeNull();
  });

  test("a span fills it, also one that took no time", () => {
    const place = { from: scale.place(3 * hour + 1_000), width: 1 - scale.place(3 * hour + 1_000) };
    expect(widthOf(around(scale, place)) / place.width).toBeLessThan(1.3);
    expect(around(scale, place)).toMatchObject({ until: 3 * hour + 2_000 });
    expect(around(scale, { from: 0, width: 1 })).toBeNull();
    expect(around(scale, { from: 0.5, width: 0 })).not.toBeNull();
    const late = { from: scale.place(500), width: 1 - scale.place(500) };
    expect(around(scale, { ...late, tookMs: 7 })).toBeNull();
    expect(around(scale, { ...late, tookMs: null })?.from).toBeCloseTo(500);
  });

  test("what lies beside it is told to lie before or behind", () => {
    const shown = { from: 0.4, to: 0.6 };
    expect(seen(shown, { from: 0, to: 0.1 })).toBe("before");
    expect(seen(shown, { from: 0.7, to: 0.8 })).toBe("behind");
    expect(seen(shown, { from: 0, to: 1 })).toEqual({ left: 0, width: 100 });
    expect(seen(shown, { from: 0.5, to: 0.5 })).toMatchObject({ width: 0 });
  });

  test("labels have room at any width, and no two are alike", () => {
    fc.assert(
      fc.property(
        fc.nat(3_000),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (width, factor, place) => {
          const view = zoomed(scale, null, { factor, at: place });
          const ticks = ticksOf(scale, view, width);
          expect(ticks.length).toBeGreaterThan(0);
          for (const [index, tick] of ticks.entries()) {
            const next = ticks[index + 1];
            expect(((next?.at ?? Number.POSITIVE_INFINITY) - tick.at) * width >= 87.9 || width === 0).toBe(
              true,
            );
            expect(tick.label).not.toBe(next?.label);
            expect(tick.label.length).toBeLessThan(14);
          }
        },
      ),
    );
    expect(ticksOf(scale, null, 200).map(({ label }) => label)).toEqual(["0 ms", "1 h 30 min"]);
  });
});
