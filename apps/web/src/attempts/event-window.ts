import { comparePlaces, type Place, type WorkEvent } from "./work-event.ts";

/** A stretch of an attempt's events without a gap, in their order. */
export type EventWindow = {
  readonly events: readonly WorkEvent[];
  /** Whether there are more before the first, and behind the last. */
  readonly earlier: boolean;
  readonly later: boolean;
};

export type Direction = "newer" | "older";

/** However long somebody scrolls, no more than these are held: the rest is read again when it is scrolled to. */
export const MOST_HELD = 6_000;

export const emptyWindow: EventWindow = { events: [], earlier: false, later: false };

/** A page that was read beyond one end of the window. */
export function withPage(
  { events, earlier, later }: EventWindow,
  direction: Direction,
  page: { readonly events: readonly WorkEvent[]; readonly more: boolean },
): EventWindow {
  const last = page.events.at(-1);
  // Where a page ends early, what was told behind it meanwhile is not next to it: it is read in its turn.
  const isBeyond = (event: Place) =>
    direction === "newer" && page.more && last !== undefined && comparePlaces(event, last) > 0;
  const all = inOrder([...events.filter((event) => !isBeyond(event)), ...page.events]);
  if (direction === "newer") {
    const kept = all.slice(-MOST_HELD);
    return { events: kept, earlier: earlier || kept.length < all.length, later: page.more };
  }
  const kept = all.slice(0, MOST_HELD);
  return { events: kept, earlier: page.more, later: later || kept.length < all.length };
}

/** What the stream tells goes where it belongs; beyond an end that was not reached there is a gap, so there it is left to be read. */
export function withNews(window: EventWindow, news: readonly WorkEvent[]): EventWindow {
  const { events, earlier, later } = window;
  const [first, last] = [events[0], events.at(-1)];
  const belongs = (event: Place): boolean => {
    if (first === undefined || last === undefined) return !earlier && !later;
    if (comparePlaces(event, first) < 0) return !earlier;
    return comparePlaces(event, last) <= 0 || !later;
  };
  const fitting = news.filter(belongs);
  if (fitting.length === 0) return window;
  const all = inOrder([...events, ...fitting]);
  const kept = all.slice(-MOST_HELD);
  return { events: kept, earlier: earlier || kept.length < all.length, later };
}

/** Of two at one place the first stays: the same event, told and read. */
function inOrder(events: readonly WorkEvent[]): WorkEvent[] {
  const sorted = events.toSorted(comparePlaces);
  return sorted.filter((event, index) => {
    const before = sorted[index - 1];
    return before === undefined || comparePlaces(before, event) !== 0;
  });
}
