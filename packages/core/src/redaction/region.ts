import type { Recognition } from "./recognition.ts";
import { ENDED_ONE_EARLIER, stepSwallow, type Swallow } from "./swallow.ts";

/** A secret's open end, followed from `startsAt` on. */
type Tail = { readonly swallow: Swallow; state: number; startsAt: number };

/** A tail to a quote or a blank, and where it ended. */
type EndedValue = { readonly swallow: Swallow; readonly end: number };

/**
 * A stretch of text that is masked: certain up to `until`, and on while a tail goes on. `values` are the tails that ended of
 * those that run to a quote or a blank, of each kind the last: where another secret reached further, they run on from there.
 */
export type Region = {
  rule: number;
  until: number;
  tails: Tail[];
  values: readonly EndedValue[];
};

export const newRegion = (rule: number, start: number): Region => ({
  rule,
  until: start,
  tails: [],
  values: [],
});

/** A secret inside another one, or behind it without a gap, may reach further than it. */
export function widenRegion(
  region: Region,
  { rule, certainTo, rest }: Pick<Recognition, "certainTo"> & { rule: number; rest: Swallow | undefined },
): void {
  region.rule = Math.min(region.rule, rule);
  region.until = Math.max(region.until, certainTo);
  if (rest === undefined) return;
  const tail = { swallow: rest, state: 0, startsAt: certainTo };
  if (!isKnown(region.tails, region.tails.length, tail)) region.tails.push(tail);
}

/** Takes the character at `position` into account; true when the region ended before it. */
export function followRegion(region: Region, position: number, code: number): boolean {
  followTails(region, position, code);
  if (region.tails.length > 0 || region.until > position) return false;
  const passed = region.values.filter(({ end }) => end < region.until);
  if (passed.length === 0) return true;
  region.values = region.values.filter(({ end }) => end >= region.until);
  region.tails = passed.map(({ swallow }) => ({ swallow, state: 0, startsAt: region.until }));
  return followRegion(region, position, code);
}

function followTails(region: Region, position: number, code: number): void {
  const { tails } = region;
  let kept = 0;
  for (const tail of tails) {
    if (tail.startsAt <= position) {
      const next = stepSwallow(tail.swallow, tail.state, code);
      if (next < 0) {
        const end = next === ENDED_ONE_EARLIER ? position - 1 : position;
        region.until = Math.max(region.until, end);
        if (isValue(tail.swallow)) region.values = withEnded(region.values, { swallow: tail.swallow, end });
        continue;
      }
      tail.state = next;
      tail.startsAt = position + 1;
    }
    if (!isKnown(tails, kept, tail)) tails[kept++] = tail;
  }
  tails.length = kept;
}

const withEnded = (values: readonly EndedValue[], ended: EndedValue): readonly EndedValue[] => [
  ...values.filter(({ swallow }) => !isSameSwallow(swallow, ended.swallow)),
  ended,
];

const isValue = ({ kind }: Swallow): boolean => kind !== "run" && kind !== "armor";

/** Two tails in the same state end at the same place: one is enough, and their number stays bounded. */
function isKnown(tails: readonly Tail[], count: number, tail: Tail): boolean {
  for (let index = 0; index < count; index++) {
    const other = tails[index];
    if (other === undefined || other.startsAt !== tail.startsAt || other.state !== tail.state) continue;
    if (isSameSwallow(other.swallow, tail.swallow)) return true;
  }
  return false;
}

function isSameSwallow(one: Swallow, other: Swallow): boolean {
  switch (one.kind) {
    case "run":
      return other.kind === "run" && one.of === other.of;
    case "until":
      return other.kind === "until" && one.end === other.end;
    case "quoted":
    case "escaped":
      return other.kind === one.kind && one.quote === other.quote;
    case "armor":
      return other.kind === "armor";
  }
}

export const moveRegion = (region: Readonly<Region>, by: number): Region => ({
  rule: region.rule,
  until: region.until + by,
  tails: region.tails.map(({ swallow, state, startsAt }) => ({ swallow, state, startsAt: startsAt + by })),
  values: region.values.map(({ swallow, end }) => ({ swallow, end: end + by })),
});
