import { comparePositions, type FeedPosition } from "@signalbox/core";
import type { FedEvent } from "./fed-event.ts";

type TailBounds = { readonly events: number; readonly characters: number };

/** The newest events of a feed, so that who was away for a moment costs no query. */
export type Tail = {
  append(events: readonly FedEvent[], bounds: TailBounds): void;
  /** What came after the position; undefined where it is not all remembered. */
  since(after: FeedPosition): readonly FedEvent[] | undefined;
};

export function createTail(beginning: FeedPosition): Tail {
  let events: FedEvent[] = [];
  /** Everything after this is remembered. */
  let from = beginning;
  let characters = 0;
  return {
    append(added, bounds) {
      events.push(...added);
      for (const { payload } of added) characters += payload.length;
      let dropped = 0;
      while (events.length - dropped > bounds.events || characters > bounds.characters) {
        const oldest = events[dropped];
        if (oldest === undefined) break;
        from = oldest;
        characters -= oldest.payload.length;
        dropped += 1;
      }
      if (dropped > 0) events = events.slice(dropped);
    },
    since(after) {
      if (comparePositions(after, from) < 0) return undefined;
      return events.slice(firstAfter(events, after));
    },
  };
}

function firstAfter(events: readonly FedEvent[], after: FeedPosition): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event !== undefined && comparePositions(event, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
