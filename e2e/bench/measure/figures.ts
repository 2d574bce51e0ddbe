/** Against a promise and not against a peer: what a page owes to the person who looks at it is the same on any machine. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Without one it stands there for information. */
  readonly wanted?: { readonly atMost: number } | { readonly atLeast: number };
};

/** A missed target is printed and fails nothing (ADR 0016). */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, wanted }) => [
    name,
    `${readable(value)} ${unit}`.trimEnd(),
    wanted === undefined ? "" : "atMost" in wanted ? `≤ ${wanted.atMost}` : `≥ ${wanted.atLeast}`,
    wanted === undefined ? "" : reached(value, wanted) ? "reached" : "MISSED",
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const reached = (value: number, wanted: NonNullable<Figure["wanted"]>): boolean =>
  "atMost" in wanted ? value <= wanted.atMost : value >= wanted.atLeast;

const readable = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Math.round(value * 10) / 10);

/** The nearest rank: a value that was really seen. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((one, other) => one - other)[
    Math.max(0, Math.ceil(share * values.length) - 1)
  ];
  if (value === undefined) throw new RangeError("a percentile of nothing");
  return value;
}
