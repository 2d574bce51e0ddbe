import fc from "fast-check";
import { expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";
import { readTraceSearch } from "./trace-search.ts";
import { stretchOf, viewAt } from "./trace-stretch.ts";

const at = (ms: number): string => new Date(1_780_000_000_000 + ms).toISOString();
const scale = timeScale(
  [{ spanId: "a", parentSpanId: "", startedAt: at(0), endedAt: at(60_000) }],
  Date.parse(at(60_000)),
  true,
);

test.each([
  [{ span: "0123", from: "0", until: "12.5", waits: "long" }, undefined],
  [{ from: "12", until: "5" }, {}],
  [{ from: "7" }, {}],
  [{ from: "-1", until: "1e9" }, {}],
  [{ from: "1", until: "2222222222222222222" }, {}],
  [{ span: "", from: ["1"], until: 2, waits: "short", other: "x" }, {}],
])("of the address %j what means something is kept", (given, kept) => {
  expect(readTraceSearch(given)).toEqual(kept ?? given);
});

test("what is shown is the same again from its address, to a tenth of a millisecond", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 59_000, noNaN: true }),
      fc.double({ min: 1, max: 50_000, noNaN: true }),
      (from, width) => {
        const view = { from: scale.first + from, until: Math.min(scale.last, scale.first + from + width) };
        const stretch = stretchOf(scale, view);
        expect(readTraceSearch(stretch)).toEqual(stretch);
        const again = viewAt(scale, stretch);
        expect(Math.abs((again?.from ?? 0) - view.from)).toBeLessThanOrEqual(0.051);
        expect(Math.abs((again?.until ?? 0) - view.until)).toBeLessThanOrEqual(0.051);
      },
    ),
  );
});

test.each([
  [{}, null],
  [{ from: "0", until: "60000" }, null],
  [{ from: "0", until: "999999999" }, null],
  [{ from: "70000", until: "80000" }, null],
  [
    { from: "50000", until: "80000" },
    { from: scale.first + 50_000, until: scale.last },
  ],
])("an address with %j shows what of it is in the trace, and else all of it", (stretch, view) => {
  expect(viewAt(scale, stretch)).toEqual(view);
});
