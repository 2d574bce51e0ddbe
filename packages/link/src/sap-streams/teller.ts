import { setTimeout as pause } from "node:timers/promises";
import type { Result } from "@signalbox/contracts/sap";
import { comparePositions, type FeedPosition } from "@signalbox/core";
import {
  authenticateKeyId,
  type Engine,
  type FollowedFeed,
  isFeedPosition,
  readLateSapResults,
  readSapReports,
  type SapSender,
} from "@signalbox/engine";
import type { Redis } from "../redis-streams/redis.ts";
import { answerFields } from "./answer-entry.ts";
import { MOST_UNREAD, sapStreamNames, type SapStream } from "./names.ts";
import { persist } from "./persist.ts";
import { tellOnce } from "./scripts.ts";

export type TellerOptions = {
  readonly engine: Engine;
  readonly redis: Redis;
  readonly stream: SapStream;
  readonly stopping: AbortSignal;
  readonly onFailure: (error: unknown, what: string) => void;
};

/** Where nothing says that there is news, it is looked at all the same: Redis may have lost what it was told. */
const LOOK_MS = 1_000;
const AT_ONCE = 100;

/** How far a sender was told, as Redis has it, and how far this process has looked since and found nothing. */
type Looked = { readonly text: string; readonly position: FeedPosition };

/** SAP V2.0 §5: tells a sender each Result that becomes of its tasks; what one process cannot tell any more, the next does. */
export async function startTeller({
  engine,
  redis,
  stream,
  stopping,
  onFailure,
}: TellerOptions): Promise<void> {
  const { answers, cursor } = sapStreamNames(stream);
  const bell = createBell(stopping);
  let isFailing = false;
  const failing = (error: unknown): void => {
    if (!isFailing) onFailure(error, `telling key ${stream.keyId} of its results over Redis`);
    isFailing = true;
  };
  const feed = await persist(stopping, () => follow(engine, stream.tenantId, bell.ring), failing);
  if (feed === undefined) return;
  let looked: Looked | undefined;
  /** Under what its tasks are on file, which never changes. */
  let sender: SapSender | undefined;

  /** Whoever holds a key that is revoked is told nothing more. */
  async function senderNow(): Promise<SapSender | undefined> {
    const caller = await authenticateKeyId(engine, stream);
    return caller && { tenantId: stream.tenantId, submittedBy: caller.actor.id, door: "redis" };
  }

  async function tell(from: string, to: FeedPosition, results: readonly Result[]): Promise<void> {
    const entries = results.map((result) => answerFields({ result }));
    for (let at = 0; at < Math.max(1, entries.length); at += AT_ONCE) {
      const isLast = at + AT_ONCE >= entries.length;
      const part = { from, to: isLast ? cursorText(to) : from, entries: entries.slice(at, at + AT_ONCE) };
      if (!(await tellOnce(redis, stream, part))) return;
    }
  }

  /** True while there may be more. */
  async function look({ position }: FollowedFeed): Promise<boolean> {
    const until = position();
    const kept = await redis.call("GET", cursor);
    const text = kept instanceof Buffer ? kept.toString() : "";
    let after = looked?.text === text ? looked.position : readCursor(text);
    if (after !== undefined && comparePositions(after, until) >= 0) {
      const isAhead = comparePositions(after, until) > 0;
      if (!isAhead || (await isFeedPosition(engine, stream, after))) return false;
      after = undefined;
    }
    sender ??= await senderNow();
    if (sender === undefined) return false;
    const found = after && (await readSapReports(engine, sender, { after, until }));
    if (found?.results.length === 0) {
      looked = { text, position: found.next };
      return true;
    }
    if ((await senderNow()) === undefined) return false;
    if (found === undefined) {
      // Redis was never told, or has forgotten, what it was told: each task of the last day is told again.
      await tell(text, until, await readLateSapResults(engine, sender));
      return true;
    }
    await tell(text, found.next, found.results);
    return true;
  }

  while (!stopping.aborted) {
    const rung = bell.next();
    try {
      while (Number(await redis.call("XLEN", answers)) < 2 * MOST_UNREAD && (await look(feed)));
      isFailing = false;
    } catch (error) {
      if (!stopping.aborted) failing(error);
    }
    await rung;
  }
  feed.leave();
}

const follow = (engine: Engine, tenantId: string, onNews: () => void): Promise<FollowedFeed> =>
  engine.feeds.follow(tenantId, {
    onEvents: (events) => {
      if (events.some(({ kind }) => kind === "sap.reported")) onNews();
    },
    onForgotten: onNews,
  });

/** Rings when it is rung, when the process stops, and after a while by itself. */
function createBell(stopping: AbortSignal) {
  let ringing: (() => void) | undefined;
  const ring = (): void => ringing?.();
  stopping.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async next(): Promise<void> {
      const rung = new AbortController();
      ringing = () => rung.abort();
      await pause(LOOK_MS, undefined, { signal: rung.signal }).catch(() => undefined);
    },
  };
}

const cursorText = ({ transaction, ordinal }: FeedPosition): string => `${transaction}-${ordinal}`;

const cursorForm = /^(?<transaction>0|[1-9]\d{0,18})-(?<ordinal>-1|0|[1-9]\d{0,9})$/;

/** Undefined for what was not written here. */
function readCursor(text: string): FeedPosition | undefined {
  const { transaction, ordinal } = cursorForm.exec(text)?.groups ?? {};
  if (transaction === undefined || ordinal === undefined) return undefined;
  return { transaction, ordinal: Number(ordinal) };
}
