import { diffArrays } from "diff";

/** A stretch of the base's lines that one side has changed. */
type Change = { readonly from: number; readonly to: number; readonly lines: readonly string[] };

export type Merged =
  | { readonly kind: "merged"; readonly text: string }
  /** Both changed the same lines; a person decides. */
  | { readonly kind: "overlap"; readonly places: number };

/** Each line with its end, so that a text without a last line's end comes back as it was. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changesOf(base: readonly string[], other: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of diffArrays([...base], [...other])) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = changes.at(-1);
    const end = removed ? at + value.length : at;
    const lines = added ? value : [];
    if (last !== undefined && last.to === at) {
      changes[changes.length - 1] = { from: last.from, to: end, lines: [...last.lines, ...lines] };
    } else changes.push({ from: at, to: end, lines });
    at = end;
  }
  return changes;
}

const same = (one: Change, other: Change): boolean =>
  one.from === other.from && one.to === other.to && one.lines.join("") === other.lines.join("");

/** Changes that touch are taken for one place: which of two insertions comes first is a person's to say. */
const touch = (one: Change, other: Change): boolean => one.from <= other.to && other.from <= one.to;

/** Two texts that began as the same, line by line: what only one of them changed is taken from that one. */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const lines = linesOf(base);
  const own = changesOf(lines, linesOf(mine));
  const foreign = changesOf(lines, linesOf(theirs)).filter((one) => !own.some((other) => same(one, other)));
  const places = foreign.filter((one) => own.some((other) => touch(one, other))).length;
  if (places > 0) return { kind: "overlap", places };
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, lines: changed } of [...own, ...foreign].toSorted(
    (one, other) => one.from - other.from,
  )) {
    merged.push(...lines.slice(at, from), ...changed);
    at = to;
  }
  return { kind: "merged", text: [...merged, ...lines.slice(at)].join("") };
}
