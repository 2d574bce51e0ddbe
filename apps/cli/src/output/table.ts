import { cleanLine } from "./clean-text.ts";
import type { Paint, Tone } from "./paint.ts";
import { fitted, padded, widthOf } from "./width.ts";

export type Column<Row> = {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
  readonly tone?: (row: Row) => Tone | undefined;
  /** Its values are names that somebody copies: cut only when nothing else is left to cut. */
  readonly whole?: boolean;
  /** Cut after texts and before names: half a moment is worth less than half a title. */
  readonly late?: boolean;
  /** Left out, the last such first, before a name that somebody copies is cut. */
  readonly spare?: boolean;
};

const GAP = "  ";
const NARROWEST = 6;

type Shape = {
  readonly widest: number;
  readonly whole: boolean;
  readonly late?: boolean;
  readonly spare?: boolean;
};

/**
 * How wide each column may be, so that a row fits, and 0 where it is left out; a terminal that is too narrow for all gets
 * what is narrowest.
 */
export function columnWidths(columns: readonly Shape[], available: number | undefined): number[] {
  if (available === undefined) return columns.map(({ widest }) => widest);
  const widths = columns.map(({ widest }) => widest);
  const kept = () => widths.filter((width) => width > 0).length;
  const taken = () => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (kept() - 1);
  const narrowest = () =>
    columns.reduce(
      (sum, { widest, whole }, at) => {
        if (widths[at] === 0) return sum;
        return sum + (whole ? widest : Math.min(widest, NARROWEST));
      },
      GAP.length * (kept() - 1),
    );
  for (const [at, { spare = false }] of [...columns.entries()].toReversed()) {
    if (spare && narrowest() > available) widths[at] = 0;
  }
  let over = taken() - available;
  for (const turn of ["text", "late", "whole"] as const) {
    while (over > 0) {
      const candidates = columns.flatMap((column, at) => {
        const width = widths[at] ?? 0;
        return turnOf(column) === turn && width > NARROWEST ? [{ at, width }] : [];
      });
      const [first, second] = candidates.toSorted((one, other) => other.width - one.width);
      if (first === undefined) break;
      const floor = Math.max(NARROWEST, Math.min(second?.width ?? NARROWEST, first.width - 1));
      const cut = Math.min(over, first.width - floor);
      widths[first.at] = first.width - cut;
      over -= cut;
    }
  }
  return widths;
}

const turnOf = ({ whole, late = false }: Shape) => {
  if (whole) return "whole";
  return late ? "late" : "text";
};

/** Lines of a table: the titles and a line a row. What does not fit is cut, and marked. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, available }: { readonly paint: Paint; readonly available: number | undefined },
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => cleanLine(String(value(row) ?? "-")) || "-"));
  const widths = columnWidths(
    columns.map(({ title, whole = false, late = false, spare = false }, at) => ({
      whole,
      late,
      spare,
      widest: Math.max(widthOf(title), ...cells.map((line) => widthOf(line[at] ?? ""))),
    })),
    available,
  );
  const last = widths.findLastIndex((width) => width > 0);
  const line = (texts: readonly string[], toneOf: (at: number) => Tone | undefined) =>
    texts
      .flatMap((text, at) => {
        if (widths[at] === 0) return [];
        const cut = fitted(text, widths[at] ?? 0);
        const cell = at === last ? cut : padded(cut, widths[at] ?? 0);
        const tone = toneOf(at);
        return tone === undefined ? cell : paint(tone, cell);
      })
      .join(GAP);
  return [
    line(
      columns.map(({ title }) => title),
      () => "quiet",
    ),
    ...rows.map((row, index) => line(cells[index] ?? [], (at) => columns[at]?.tone?.(row))),
  ];
}
