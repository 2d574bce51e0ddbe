import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";
import { rowAfterKey, waterfallRows } from "./waterfall.ts";

const at = (ms: number) => new Date(ms).toISOString();
const span = (spanId: string, parentSpanId: string, from: number, to: number | null) => ({
  spanId,
  parentSpanId,
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
});
const spans = [
  span("root", "", 1_000, null),
  span("a", "root", 1_000, 1_500),
  span("a1", "a", 1_250, 1_250),
  span("b", "root", 1_500, 2_000),
];
const none = new Set<string>();
const rowsOf = (all: typeof spans, closed: ReadonlySet<string>, now: number) =>
  waterfallRows(all, closed, timeScale(all, now, false), now);

describe("the rows of a waterfall", () => {
  test("stand below their parents, and lie where their time lies in the whole", () => {
    const rows = rowsOf(spans, none, 3_000);
    expect(rows.map((row) => [row.span.spanId, row.depth, row.from, row.width, row.tookMs])).toEqual([
      ["root", 0, 0, 1, null],
      ["a", 1, 0, 0.25, 500],
      ["a1", 2, 0.125, 0, 0],
      ["b", 1, 0.25, 0.25, 500],
    ]);
  });

  test("leave out what is below a closed one", () => {
    const rows = rowsOf(spans, new Set(["a"]), 3_000);
    expect(rows.map(({ span: { spanId }, children, expanded }) => [spanId, children, expanded])).toEqual([
      ["root", 2, true],
      ["a", 1, false],
      ["b", 0, false],
    ]);
  });

  test("are each there once and on the picture, whatever parents and times are said", () => {
    const ids = fc.constantFrom("a", "b", "c", "d", "e", "");
    const any = fc
      .uniqueArray(fc.tuple(ids, ids, fc.nat(1_000), fc.option(fc.nat(1_000))), { selector: ([id]) => id })
      .map((all) =>
        all.filter(([id]) => id !== "").map(([id, parent, from, to]) => span(id, parent, from, to)),
      );
    fc.assert(
      fc.property(any, (all) => {
        const rows = rowsOf(all, none, 900);
        expect(new Set(rows.map((row) => row.span.spanId)).size).toBe(rows.length);
        const ownAncestor = all.length - rows.length;
        expect(ownAncestor === 0 || all.some(({ parentSpanId }) => parentSpanId !== "")).toBe(true);
        for (const { from, width } of rows)
          expect(from >= 0 && width >= 0 && from + width < 1.000_001).toBe(true);
      }),
    );
  });
});

describe("keys", () => {
  const rows = rowsOf(spans, none, 3_000);
  const after = (current: string | undefined, key: string) => rowAfterKey(rows, current, key);

  test("lead from row to row, and stop at both ends", () => {
    expect(after("root", "j")).toEqual({ go: "a" });
    expect(after("b", "ArrowDown")).toEqual({ go: "b" });
    expect(after("root", "k")).toEqual({ go: "root" });
    expect(after(undefined, "End")).toEqual({ go: "b" });
    expect(after("gone", "Home")).toEqual({ go: "root" });
  });

  test("open and close, and lead in and out", () => {
    expect(after("a", "ArrowLeft")).toEqual({ close: "a" });
    expect(after("a1", "ArrowLeft")).toEqual({ go: "a" });
    expect(after("a", "ArrowRight")).toEqual({ go: "a1" });
    expect(rowAfterKey(rowsOf(spans, new Set(["a"]), 3_000), "a", "l")).toEqual({ open: "a" });
    expect(after("b", "ArrowRight")).toEqual({});
    expect(after("b", "x")).toEqual({});
    expect(rowAfterKey([], "a", "j")).toEqual({});
  });
});
