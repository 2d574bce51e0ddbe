/** A diff of more than so many pairs of lines would hold up the page; its middle counts as changed. */
const MOST_PAIRS = 16_000_000;

/** For each line of `one` its place in `other`, or -1: a longest common subsequence. */
export function matchLines(one: readonly string[], other: readonly string[]): Int32Array {
  const places = new Int32Array(one.length).fill(-1);
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) {
    places[start] = start;
    start += 1;
  }
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) {
    end += 1;
    places[one.length - end] = other.length - end;
  }
  const rows = one.length - start - end;
  const columns = other.length - start - end;
  if (rows * columns > MOST_PAIRS) return places;
  const width = columns + 1;
  const longest = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        one[start + row] === other[start + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (one[start + row] === other[start + column]) {
      places[start + row] = start + column;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return places;
}

/** Lines `from` up to `to` of the printed text, and how the author wrote them. */
type Unit = { from: number; to: number; written: readonly string[] };

/**
 * The edited text as the author would have written it: printing a document normalises every line, and somebody who
 * renames a stage does not want a diff of the whole. `printed` is `written` as the printer puts it, `edited` is what the
 * printer made after the change.
 */
export function keepLayout(written: string, printed: string, edited: string): string {
  if (written === printed) return edited;
  const before = printed.split("\n");
  const after = edited.split("\n");
  const places = matchLines(before, after);
  const lines: string[] = [];
  let next = 0;
  let kept = true;
  for (const { from, to, written: own } of unitsOf(written.split("\n"), before)) {
    if (from < to) kept = isWhole(places.subarray(from, to));
    if (!kept) continue;
    const first = from < to ? (places[from] ?? next) : next;
    lines.push(...after.slice(next, first), ...own);
    next = first + (to - from);
  }
  return [...lines, ...after.slice(next)].join("\n");
}

const isWhole = (places: Int32Array): boolean =>
  places.every((place, index) => place >= 0 && (index === 0 || place === (places[index - 1] ?? -2) + 1));

const bare = (line: string): string => line.replaceAll(/\s+/g, "");

/** Line by line where the two differ in white space only, and in runs where lines were joined or dropped. */
function unitsOf(written: readonly string[], printed: readonly string[]): Unit[] {
  const places = matchLines(written.map(bare), printed.map(bare));
  const units: Unit[] = [];
  let run: string[] = [];
  let from = 0;
  for (const [index, line] of written.entries()) {
    const place = places[index] ?? -1;
    if (place < 0) {
      run.push(line);
      continue;
    }
    if (run.length > 0 || place > from) units.push({ from, to: place, written: run });
    units.push({ from: place, to: place + 1, written: [line] });
    run = [];
    from = place + 1;
  }
  if (run.length > 0 || printed.length > from) units.push({ from, to: printed.length, written: run });
  return units;
}
