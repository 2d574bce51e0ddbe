/** Whole numbers that have come, as ranges with both ends, in order and apart from one another. */
export type SequenceRanges = readonly (readonly [from: number, to: number])[];

export function holdsSequence(ranges: SequenceRanges, sequence: number): boolean {
  return ranges.some(([from, to]) => from <= sequence && sequence <= to);
}

export function withSequence(ranges: SequenceRanges, sequence: number): SequenceRanges {
  const last = ranges.at(-1);
  // Nearly always the next one.
  if (last !== undefined && sequence === last[1] + 1) return [...ranges.slice(0, -1), [last[0], sequence]];
  const before = ranges.filter(([, to]) => to < sequence - 1);
  const after = ranges.filter(([from]) => from > sequence + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const from = Math.min(sequence, touching[0]?.[0] ?? sequence);
  const to = Math.max(sequence, touching.at(-1)?.[1] ?? sequence);
  return [...before, [from, to], ...after];
}

/** With so many more behind all that have come. */
export function withNext(ranges: SequenceRanges, count: number): SequenceRanges {
  if (count === 0) return ranges;
  const last = ranges.at(-1);
  if (last === undefined) return [[0, count - 1]];
  return [...ranges.slice(0, -1), [last[0], last[1] + count]];
}

/** The first that has not come. */
export const firstMissing = ([first]: SequenceRanges): number => (first?.[0] === 0 ? first[1] + 1 : 0);

/** Behind all that have come. */
export const nextSequence = (ranges: SequenceRanges): number => (ranges.at(-1)?.[1] ?? -1) + 1;

export const gapsIn = (ranges: SequenceRanges): number => ranges.length - (ranges[0]?.[0] === 0 ? 1 : 0);
