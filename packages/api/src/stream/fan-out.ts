import { INSTANCE_HEARD, mayEndStanding } from "@signalbox/core";
import { type Engine, type FedEvent, feedCursor, type FollowedFeed } from "@signalbox/engine";
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
type Followed = {
  readonly opening: Promise<FollowedFeed>;
  readonly topics: Topics;
  joined: number;
  /** While anybody listens to the registry. */
  stopHearing: (() => void) | undefined;
};

const REGISTRY = "registry";

/** What a feed tells becomes bytes once a topic, and those are written to all who listen to it. */
export function createFanOut(
  { feeds, heard, clock }: Pick<Engine, "feeds" | "heard" | "clock">,
  onMemberNews: () => void,
): FanOut {
  const tenants = new Map<string, Followed>();

  function follow(tenantId: string): Followed {
    const topics: Topics = new Map();
    const opening = feeds.follow(tenantId, {
      onEvents(events) {
        send(topics, events);
        if (events.some(({ kind }) => mayEndStanding(kind))) onMemberNews();
      },
      onForgotten() {
        for (const readers of topics.values()) for (const { forgotten } of readers) forgotten();
      },
    });
    const followed: Followed = { opening, topics, joined: 0, stopHearing: undefined };
    tenants.set(tenantId, followed);
    return followed;
  }

  function leave(tenantId: string, followed: Followed): void {
    followed.joined -= 1;
    if (followed.joined > 0) return;
    if (tenants.get(tenantId) === followed) tenants.delete(tenantId);
    followed.opening.then((feed) => feed.leave()).catch(() => undefined);
  }

  /** STREAM-16: its cursor is where the feed stands, for the feed itself has nothing of it. */
  function hear(tenantId: string, feed: FollowedFeed, topics: Topics): () => void {
    return heard.watch(tenantId, () => {
      const position = feed.position();
      const event: FedEvent = {
        ...position,
        cursor: feedCursor(tenantId, position),
        topics: [REGISTRY],
        kind: INSTANCE_HEARD,
        recordedAt: clock.now().getTime(),
        pipelineId: null,
        payload: "{}",
      };
      send(topics, [event]);
    });
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
          if (topic === REGISTRY) followed.stopHearing ??= hear(tenantId, feed, followed.topics);
          retire = () => {
            readers.delete(reader);
            if (readers.size > 0 || followed.topics.get(topic) !== readers) return;
            followed.topics.delete(topic);
            if (topic !== REGISTRY) return;
            followed.stopHearing?.();
            followed.stopHearing = undefined;
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
