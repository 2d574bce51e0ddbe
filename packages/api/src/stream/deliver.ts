import { comparePositions, type FeedPosition, topicText } from "@signalbox/core";
import {
  cursorExpired,
  type Engine,
  type FedEvent,
  feedCursor,
  replayTopic,
  type Subscription,
} from "@signalbox/engine";
import type { Joined } from "./fan-out.ts";
import { eventFrames, messageFrame } from "./messages.ts";
import type { Outlet } from "./outlet.ts";

/** Events that are written before the reader is waited for. */
const AT_ONCE = 200;

export type Delivery = {
  /** The reader knows of everything up to here. */
  readonly position: () => FeedPosition;
  /** It waits for nothing but what is yet to come. */
  readonly isLive: () => boolean;
  /** Resolves when the subscription is up to date, or has ended. */
  readonly caughtUp: Promise<void>;
};

type Delivered = {
  readonly engine: Engine;
  readonly tenantId: string;
  readonly subscription: Subscription;
  readonly joined: Joined;
  readonly outlet: Outlet;
  readonly over: AbortSignal;
  readonly onForgotten: (error: ReturnType<typeof cursorExpired>) => void;
};

/**
 * First what came since the cursor: from the database page by page, as fast as the reader reads; the last of it from
 * memory. That, and taking part in what is sent to all from there on, is one step without a pause in between, so that
 * nothing falls between the two and nothing is sent by both.
 */
export function deliver({
  engine,
  tenantId,
  subscription,
  joined,
  outlet,
  over,
  onForgotten,
}: Delivered): Delivery {
  const { feed } = joined;
  const topic = topicText(subscription.topic);
  let position = subscription.after ?? feed.position();
  let live = false;
  const isOver = (): boolean => over.aborted || !outlet.isOpen();

  outlet.write(messageFrame({ type: "subscribed", topic, cursor: feedCursor(tenantId, position) }));

  function goLive(events: readonly FedEvent[]): void {
    outlet.write(eventFrames(events, topic));
    joined.goLive(topic, { receive: outlet.write, forgotten: () => onForgotten(cursorExpired()) });
    live = true;
  }

  /** Whether it is up to date now. */
  async function step(): Promise<boolean> {
    if (comparePositions(position, feed.position()) > 0) {
      // The cursor was given by a process that had read on already; a look of this one reads as far.
      await engine.feeds.look();
      return false;
    }
    const remembered = feed.since(position)?.filter((event) => event.topics.includes(topic));
    if (remembered !== undefined && remembered.length <= AT_ONCE) {
      goLive(remembered);
      return true;
    }
    const { events, next } =
      remembered === undefined
        ? await replayTopic(engine, tenantId, subscription.topic, { after: position, until: feed.position() })
        : firstOf(remembered);
    if (isOver()) return false;
    outlet.write(eventFrames(events, topic));
    position = next;
    await outlet.drained();
    return false;
  }

  async function catchUp(): Promise<void> {
    let done = isOver();
    while (!done) done = (await step()) || isOver();
  }

  return {
    position: () => (live ? feed.position() : position),
    isLive: () => live,
    caughtUp: catchUp(),
  };
}

function firstOf(remembered: readonly FedEvent[]): { events: readonly FedEvent[]; next: FeedPosition } {
  const events = remembered.slice(0, AT_ONCE);
  const last = events.at(-1);
  if (last === undefined) throw new RangeError("nothing is remembered");
  return { events, next: last };
}
