import { familyOf } from "@signalbox/core";
import type { FedEvent, Feeds, FollowedFeed } from "@signalbox/engine";
import { eventFrames } from "./messages.ts";

/** A subscription that is up to date. */
type LiveReader = {
  readonly receive: (frames: Buffer) => void;
  /** Events were forgotten before this process had read them: it cannot be told all. */
  readonly forgotten: () => void;
};

/** A tenant's feed, as one subscription takes part in it. */
export type Joined = {
  readonly feed: FollowedFeed;
  /** From here on it hears each event of the topic as it comes; whatever came before is its own to have read. */
  readonly goLive: (topic: string, reader: LiveReader) => void;
  readonly leave: () => void;
};

export type FanOut = { readonly join: (tenantId: string) => Promise<Joined> };

type Topics = Map<string, Set<LiveReader>>;
type Followed = { readonly opening: Promise<FollowedFeed>; readonly topics: Topics; joined: number };

/** What a feed tells becomes bytes once a topic, and those are written to all who listen to it. */
export function createFanOut(feeds: Feeds, onMemberNews: () => void): FanOut {
  const tenants = new Map<string, Followed>();

  function follow(tenantId: string): Followed {
    const topics: Topics = new Map();
    const opening = feeds.follow(tenantId, {
      onEvents(events) {
        send(topics, events);
        if (events.some(({ kind }) => familyOf(kind) === "member")) onMemberNews();
      },
      onForgotten() {
        for (const readers of topics.values()) for (const { forgotten } of readers) forgotten();
      },
    });
    const followed: Followed = { opening, topics, joined: 0 };
    tenants.set(tenantId, followed);
    return followed;
  }

  function leave(tenantId: string, followed: Followed): void {
    followed.joined -= 1;
    if (followed.joined > 0) return;
    if (tenants.get(tenantId) === followed) tenants.delete(tenantId);
    followed.opening.then((feed) => feed.leave()).catch(() => undefined);
  }

  return {
    async join(tenantId) {
      const followed = tenants.get(tenantId) ?? follow(tenantId);
      followed.joined += 1;
      const feed = await followed.opening.catch((error: unknown) => {
        leave(tenantId, followed);
        throw error;
      });
      let retire: (() => void) | undefined;
      return {
        feed,
        goLive(topic, reader) {
          const readers = followed.topics.get(topic) ?? new Set();
          followed.topics.set(topic, readers.add(reader));
          retire = () => {
            readers.delete(reader);
            if (readers.size === 0 && followed.topics.get(topic) === readers) followed.topics.delete(topic);
          };
        },
        leave() {
          retire?.();
          leave(tenantId, followed);
        },
      };
    },
  };
}

function send(topics: Topics, events: readonly FedEvent[]): void {
  const heard = new Map<string, FedEvent[]>();
  for (const event of events) {
    for (const topic of event.topics) {
      if (!topics.has(topic)) continue;
      const own = heard.get(topic) ?? [];
      heard.set(topic, own);
      own.push(event);
    }
  }
  for (const [topic, own] of heard) {
    const frames = eventFrames(own, topic);
    for (const { receive } of topics.get(topic) ?? []) receive(frames);
  }
}
