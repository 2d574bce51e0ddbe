import type { FeedPosition } from "@signalbox/core";
import { type FeedPage, followFeeds, settledPosition } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";
import { type FedEvent, fedEvent } from "./fed-event.ts";
import { createTail, type Tail } from "./tail.ts";

export type FeedListener = {
  /** In their order, each once. */
  readonly onEvents: (events: readonly FedEvent[]) => void;
  /** This process stood still for so long that some events were forgotten before it read them. */
  readonly onForgotten: () => void;
};

/** A tenant's feed as this process follows it. */
export type FollowedFeed = {
  /** Everything up to here was told to the listeners. */
  readonly position: () => FeedPosition;
  readonly since: Tail["since"];
  readonly leave: () => void;
};

/** One reader a process, however many tenants are followed and however many listen to each. */
export type Feeds = {
  follow: (tenantId: string, listener: FeedListener) => Promise<FollowedFeed>;
  /** Looks now; resolves once everything that could be read is told. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

type Line = {
  readonly tenantId: string;
  readonly listeners: Set<FeedListener>;
  position: FeedPosition;
  tail: Tail;
  /** Since when nobody listens. */
  idleSince: number | undefined;
};

export type FeedSystem = Pick<System, "database" | "clock" | "readiness">;

/** While events come; a feed that is silent is looked at less and less often, down to the latter. */
const SHORTEST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 120;
const MOST_EVENTS_A_LOOK = 1_000;
/** A feed is followed on for so long after its last reader left: most come back at once. */
const LINGER_MS = 30_000;
const TAIL_EVENTS = 4_000;
const TAIL_CHARACTERS = 2_000_000;
/** Of all tails together. */
const ALL_TAILS_CHARACTERS = 64_000_000;

/**
 * Asks the database at short intervals, while anybody listens, for what all followed tenants have new: one statement.
 * NOTIFY would spare the asking, and costs every writer more than that (docs/adr/0022-stream.md).
 */
export function createFeeds(system: FeedSystem, onFailure: (error: unknown, what: string) => void): Feeds {
  const { database, clock } = system;
  const lines = new Map<string, Promise<Line>>();
  const known = new Map<string, Line>();
  let waitMs = SHORTEST_WAIT_MS;
  let planned: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let stopped = false;

  function plan(): void {
    if (stopped || planned !== undefined || known.size === 0) return;
    planned = clock.after(waitMs, () => {
      planned = undefined;
      void look();
    });
  }

  /** One look at a time; who asks during one gets the next, for that one began before they asked. */
  async function look(): Promise<void> {
    if (looking !== undefined) await looking;
    looking ??= lookUntilTold()
      .catch((error: unknown) => onFailure(error, "following the feeds"))
      .finally(() => {
        looking = undefined;
        plan();
      });
    await looking;
  }

  async function lookUntilTold(): Promise<void> {
    forgetIdle();
    let found = await lookOnce();
    let { news } = found;
    while (found.full) {
      found = await lookOnce();
      news ||= found.news;
    }
    waitMs = news ? SHORTEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, waitMs * 1.5);
  }

  async function lookOnce(): Promise<{ news: boolean; full: boolean }> {
    const followed = [...known.values()];
    if (stopped || followed.length === 0) return { news: false, full: false };
    const pages = await database.inTenants(
      followed.map(({ tenantId }) => tenantId),
      (tx) =>
        followFeeds(
          tx,
          followed.map(({ tenantId, position }) => ({ tenantId, ...position })),
          MOST_EVENTS_A_LOOK,
        ),
    );
    for (const line of followed) {
      const page = pages.get(line.tenantId);
      if (page !== undefined) tell(line, page);
    }
    const read = [...pages.values()];
    return { news: read.some(({ events }) => events.length > 0), full: read.some(({ full }) => full) };
  }

  function tell(line: Line, page: FeedPage): void {
    const { tenantId, listeners } = line;
    line.position = page.next;
    if (page.forgotten) {
      line.tail = createTail(page.next);
      for (const { onForgotten } of listeners) onForgotten();
      return;
    }
    if (page.events.length === 0) return;
    const events = page.events.map((event) => fedEvent(tenantId, event));
    const characters = Math.min(TAIL_CHARACTERS, ALL_TAILS_CHARACTERS / known.size);
    line.tail.append(events, { events: TAIL_EVENTS, characters });
    for (const { onEvents } of listeners) onEvents(events);
  }

  function forgetIdle(): void {
    const now = clock.now().getTime();
    for (const [tenantId, { idleSince }] of known) {
      // A clock that was set back must not keep it for ever.
      if (idleSince === undefined || Math.abs(now - idleSince) < LINGER_MS) continue;
      known.delete(tenantId);
      lines.delete(tenantId);
    }
  }

  async function open(tenantId: string): Promise<Line> {
    const position = await reach(system, () => database.inTenants([tenantId], settledPosition));
    const line = { tenantId, listeners: new Set<FeedListener>(), position, tail: createTail(position) };
    const opened: Line = { ...line, idleSince: clock.now().getTime() };
    known.set(tenantId, opened);
    plan();
    return opened;
  }

  async function follow(tenantId: string, listener: FeedListener): Promise<FollowedFeed> {
    let opening = lines.get(tenantId);
    if (opening === undefined) {
      opening = open(tenantId);
      lines.set(tenantId, opening);
      opening.catch(() => lines.delete(tenantId));
    }
    const line = await opening;
    // Between its opening and now it may have been given up.
    if (known.get(tenantId) !== line) return follow(tenantId, listener);
    line.listeners.add(listener);
    line.idleSince = undefined;
    return {
      position: () => line.position,
      since: (after) => line.tail.since(after),
      leave() {
        line.listeners.delete(listener);
        if (line.listeners.size === 0) line.idleSince = clock.now().getTime();
      },
    };
  }

  return {
    follow,
    look,
    async stop() {
      stopped = true;
      planned?.();
      await looking;
    },
  };
}
