/** A figure of ours, or a peer's that stands there for information: then without reference and target. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly against?: Reference;
};

export type Reference = {
  readonly name: string;
  readonly value: number;
  readonly wanted: Wanted;
};

/** Of our figure and the reference's. */
type Wanted =
  | { readonly ratioAtLeast: number }
  | { readonly ratioAtMost: number }
  | { readonly differenceAtMost: number };

const HEAD = ["figure", "value", "reference", "its value", "compared", "target", ""];
const RIGHT = new Set([1, 3, 4, 5]);

/** One line a figure. A missed target is printed as missed, and is never an error: machines differ. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cellsOf({ name, value, unit, against }: Figure): string[] {
  const own = [name, `${readable(value)} ${unit}`.trimEnd()];
  if (against === undefined) return [...own, "", "", "", "", ""];
  const { compared, target, reached } = judge(value, unit, against);
  return [
    ...own,
    against.name,
    `${readable(against.value)} ${unit}`,
    compared,
    target,
    reached ? "reached" : "MISSED",
  ];
}

function judge(value: number, unit: string, { value: reference, wanted }: Reference) {
  if ("differenceAtMost" in wanted) {
    const difference = value - reference;
    return {
      compared: `${difference < 0 ? "" : "+"}${readable(difference)} ${unit}`,
      target: `≤ +${wanted.differenceAtMost} ${unit}`,
      reached: difference <= wanted.differenceAtMost,
    };
  }
  const ratio = value / reference;
  const compared = `${ratio.toFixed(2)} ×`;
  return "ratioAtLeast" in wanted
    ? { compared, target: `≥ ${wanted.ratioAtLeast} ×`, reached: ratio >= wanted.ratioAtLeast }
    : { compared, target: `≤ ${wanted.ratioAtMost} ×`, reached: ratio <= wanted.ratioAtMost };
}

const readable = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumSignificantDigits: 3 });
