import type { Timed } from "./waterfall.ts";

/** A stretch in which nothing worked, drawn shorter than it was. Its times, and where it lies from 0 to 1. */
type Wait = {
  readonly from: number;
  readonly until: number;
  readonly at: number;
  readonly to: number;
};

export type TimeScale = {
  readonly first: number;
  readonly last: number;
  /** How much time the picture is wide: less than there was where waits are shortened. */
  readonly drawnMs: number;
  /** Where a moment lies, from 0 to 1; beyond both ends it lies at the end. */
  readonly place: (time: number) => number;
  readonly timeAt: (place: number) => number;
  readonly waits: readonly Wait[];
};

/** Shorter ones are drawn as they were. */
const SHORTEST_MS = 5_000;
/** What a shortened one takes of the picture, and what all of them take at most. */
const EACH = 0.05;
const ALL = 0.4;

type Stretch = readonly [from: number, until: number];

/** After hours for a person's answer all else would be a hair's breadth: what nobody worked in is drawn short. */
export function timeScale(spans: readonly Timed[], now: number, shortened: boolean): TimeScale {
  const [first, last] = endsOf(spans, now);
  const idle = shortened ? idleOf(spans, first, last, now) : [];
  const worked = last - first - idle.reduce((sum, [from, until]) => sum + until - from, 0);
  const short = (Math.max(1, worked) * Math.min(EACH, ALL / Math.max(1, idle.length))) / (1 - ALL);
  const cut = idle.filter(([from, until]) => until - from > 2 * short);
  const knots = [{ time: first, drawn: 0 }];
  for (const [from, until] of cut) {
    const before = knots.at(-1) ?? { time: first, drawn: 0 };
    const drawn = before.drawn + from - before.time;
    knots.push({ time: from, drawn }, { time: until, drawn: drawn + short });
  }
  const end = knots.at(-1) ?? { time: first, drawn: 0 };
  const drawnMs = Math.max(1, end.drawn + last - end.time);
  knots.push({ time: Math.max(last, first + 1), drawn: drawnMs });
  const place = (time: number): number => between(knots, time, "time", "drawn") / drawnMs;
  return {
    first,
    last,
    drawnMs,
    place,
    timeAt: (at) => between(knots, at * drawnMs, "drawn", "time"),
    waits: cut.map(([from, until]) => ({ from, until, at: place(from), to: place(until) })),
  };
}

type Knot = { readonly time: number; readonly drawn: number };

function between(knots: readonly Knot[], value: number, given: keyof Knot, wanted: keyof Knot): number {
  const after = knots.findIndex((knot) => knot[given] >= value);
  const next = knots[after];
  if (next === undefined) return knots.at(-1)?.[wanted] ?? 0;
  const before = knots[after - 1];
  if (before === undefined) return next[wanted];
  const share = (value - before[given]) / Math.max(Number.EPSILON, next[given] - before[given]);
  return before[wanted] + share * (next[wanted] - before[wanted]);
}

export const startOf = ({ startedAt }: Timed): number => Date.parse(startedAt);
/** Clocks of several nodes may stand a little apart: nothing ends before it began. */
export const endOf = ({ startedAt, endedAt }: Timed, now: number): number =>
  Math.max(Date.parse(startedAt), endedAt === null ? now : Date.parse(endedAt));

function endsOf(spans: readonly Timed[], now: number): Stretch {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    first = Math.min(first, startOf(span));
    last = Math.max(last, endOf(span, now));
  }
  return Number.isFinite(first) ? [first, last] : [now, now];
}

/** What no span covers that has none below it: a stage and its pipeline go on while nobody works. */
function idleOf(spans: readonly Timed[], first: number, last: number, now: number): Stretch[] {
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId));
  const work = spans
    .filter(({ spanId }) => !parents.has(spanId))
    .map((span): Stretch => [startOf(span), endOf(span, now)])
    .toSorted(([one], [other]) => one - other);
  const idle: Stretch[] = [];
  let until = first;
  for (const [from, to] of [...work, [last, last] as const]) {
    if (from - until > SHORTEST_MS) idle.push([until, from]);
    until = Math.max(until, to);
  }
  return idle;
}
