import { cleanLine } from "./clean-text.ts";
import type { Paint, Tone } from "./paint.ts";
import { fitted, padded, widthOf } from "./width.ts";

export type Column<Row> = {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
  readonly tone?: (row: Row) => Tone | undefined;
  /** Its values are names that somebody copies: cut only when nothing else is left to cut. */
  readonly whole?: boolean;
};

const GAP = "  ";
const NARROWEST = 6;

/** How wide each column may be, so that a row fits; a terminal that is too narrow for all gets what is narrowest. */
export function columnWidths(
  columns: readonly { readonly widest: number; readonly whole: boolean }[],
  available: number | undefined,
): number[] {
  const widths = columns.map(({ widest }) => widest);
  if (available === undefined) return widths;
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  for (const whole of [false, true]) {
    while (over > 0) {
      const candidates = widths.flatMap((width, at) =>
        columns[at]?.whole === whole && width > NARROWEST ? [{ at, width }] : [],
      );
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

/** Lines of a table: the titles and a line a row. What does not fit is cut, and marked. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, available }: { readonly paint: Paint; readonly available: number | undefined },
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => cleanLine(String(value(row) ?? "-")) || "-"));
  const widths = columnWidths(
    columns.map(({ title, whole = false }, at) => ({
      whole,
      widest: Math.max(widthOf(title), ...cells.map((line) => widthOf(line[at] ?? ""))),
    })),
    available,
  );
  const last = columns.length - 1;
  const line = (texts: readonly string[], toneOf: (at: number) => Tone | undefined) =>
    texts
      .map((text, at) => {
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
