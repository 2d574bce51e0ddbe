import { endOf, startOf, type TimeScale } from "./time-scale.ts";

/** As much of a span as its place in the picture depends on. */
export type Timed = {
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

export type WaterfallRow<Span extends Timed> = {
  readonly span: Span;
  readonly depth: number;
  readonly children: number;
  readonly expanded: boolean;
  /** Of the whole, from 0 to 1. */
  readonly from: number;
  readonly width: number;
  /** Null while it goes on. */
  readonly tookMs: number | null;
};

/**
 * Spans as rows, each below its parent, in the order in which they were given; what is below a closed one is left out. A
 * span whose parent is not there stands at the outermost level.
 */
export function waterfallRows<Span extends Timed>(
  spans: readonly Span[],
  closed: ReadonlySet<string>,
  { place: placeOf }: Pick<TimeScale, "place">,
  now: number,
): WaterfallRow<Span>[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId }) => (known.has(parentSpanId) ? parentSpanId : ""));
  const rows: WaterfallRow<Span>[] = [];
  const placed = new Set<string>();
  const place = (of: string, depth: number): void => {
    for (const span of below.get(of) ?? []) {
      if (placed.has(span.spanId)) continue;
      placed.add(span.spanId);
      const children = below.get(span.spanId)?.length ?? 0;
      const expanded = children > 0 && !closed.has(span.spanId);
      const from = placeOf(startOf(span));
      const width = placeOf(endOf(span, now)) - from;
      const tookMs = span.endedAt === null ? null : endOf(span, now) - startOf(span);
      rows.push({ span, depth, children, expanded, from, width, tookMs });
      if (expanded) place(span.spanId, depth + 1);
    }
  };
  place("", 0);
  return rows;
}

/** Whom a key leads to in a tree: WAI-ARIA's tree pattern, and j and k as in every list here. */
export function rowAfterKey<Span extends Timed>(
  rows: readonly WaterfallRow<Span>[],
  current: string | undefined,
  key: string,
): { readonly go?: string; readonly open?: string; readonly close?: string } {
  const at = Math.max(
    0,
    rows.findIndex(({ span }) => span.spanId === current),
  );
  const row = rows[at];
  if (row === undefined) return {};
  const goTo = (index: number) => {
    const target = rows[Math.min(rows.length - 1, Math.max(0, index))];
    return target === undefined ? {} : { go: target.span.spanId };
  };
  switch (key) {
    case "ArrowDown":
    case "j":
      return goTo(at + 1);
    case "ArrowUp":
    case "k":
      return goTo(at - 1);
    case "Home":
      return goTo(0);
    case "End":
      return goTo(rows.length - 1);
    case "PageDown":
      return goTo(at + 10);
    case "PageUp":
      return goTo(at - 10);
    case "ArrowRight":
    case "l":
      if (row.children === 0) return {};
      return row.expanded ? goTo(at + 1) : { open: row.span.spanId };
    case "ArrowLeft":
    case "h": {
      if (row.expanded) return { close: row.span.spanId };
      const parent = rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth);
      return parent === -1 ? {} : goTo(parent);
    }
    default:
      return {};
  }
}
