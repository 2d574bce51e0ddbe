import { setTimeout as pause } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";
import type { Caller } from "@signalbox/core";
import { authenticateKeyId, type Engine, type SapExchange } from "@signalbox/engine";
import { claimedEntries, type Entry, pendingCounts, readEntries } from "../redis-streams/entries.ts";
import type { Redis } from "../redis-streams/redis.ts";
import { answerEntry, answerFields, givenUp } from "./answer-entry.ts";
import { GROUP, MOST_UNREAD, sapStreamNames, type SapStream } from "./names.ts";
import { persist } from "./persist.ts";
import { answerOnce } from "./scripts.ts";

export type IntakeOptions = {
  readonly engine: Engine;
  readonly redis: Redis;
  /** A read that waits keeps its connection to itself. */
  readonly waiting: Redis;
  readonly streams: readonly SapStream[];
  /** This process, among those that read. */
  readonly consumer: string;
  readonly claimAfterMs: number;
  readonly stopping: AbortSignal;
  readonly onFailure: (error: unknown, what: string) => void;
};

type Line = {
  readonly stream: SapStream;
  readonly tasks: string;
  readonly answers: string;
  readonly inHand: Map<string, Promise<void>>;
};

const READ_FOR_MS = 500;
const LOOK_AGAIN_MS = 100;
/** Of one stream, at a time: who sends more waits, and the other streams do not. */
const MOST_IN_HAND = 64;
const IDLE_CONSUMER_MS = 24 * 60 * 60 * 1_000;

/** Takes tasks from the streams of keys, answers each once, and takes up what a process that ended left behind. */
export function startIntake(options: IntakeOptions): Promise<void> {
  const { engine, redis, waiting, consumer, claimAfterMs, stopping, onFailure } = options;
  const lines = options.streams.map((stream): Line => {
    const { tasks, answers } = sapStreamNames(stream);
    return { stream, tasks, answers, inHand: new Map() };
  });
  let claimedAt = Date.now();
  /** That the database is away is told by whoever watches it. */
  const failing = (error: unknown): void => {
    if (!(error instanceof SignalboxError)) onFailure(error, "taking a task from Redis");
  };

  async function prepare(): Promise<void> {
    for (const { tasks } of lines) {
      await redis.call("XGROUP", "CREATE", tasks, GROUP, "0", "MKSTREAM").catch((error: unknown) => {
        if (!/BUSYGROUP/.test(String(error))) throw error;
      });
    }
  }

  async function answer(line: Line, { id }: Entry, said: SapExchange): Promise<void> {
    const fields = answerFields(said, id);
    // Where Redis is away nobody knows whether it has the answer: whoever finds the entry pending gives it.
    await persist(stopping, () => answerOnce(redis, line.stream, id, fields));
  }

  /** One look at the key for all that were read together: a key that is revoked is nobody's from the next read on. */
  function take(
    line: Line,
    entries: readonly Entry[],
    takenUp: ReadonlyMap<string, number> = new Map(),
  ): void {
    let caller: Promise<Caller | undefined> | undefined;
    const known = () =>
      (caller ??= authenticateKeyId(engine, line.stream).catch((error: unknown) => {
        caller = undefined;
        throw error;
      }));
    for (const entry of entries) {
      if (line.inHand.has(entry.id)) continue;
      const work = async (): Promise<void> => {
        const refused = givenUp(engine, takenUp.get(entry.id) ?? 1);
        const said =
          refused ??
          (await persist(stopping, async () => answerEntry(engine, await known(), entry, failing), failing));
        if (said !== undefined) await answer(line, entry, said);
      };
      line.inHand.set(
        entry.id,
        work().finally(() => line.inHand.delete(entry.id)),
      );
    }
  }

  /** What is in hand for long is not to be taken for left behind; what others left behind is taken up. */
  async function claim(): Promise<void> {
    if (Date.now() - claimedAt < claimAfterMs / 3) return;
    claimedAt = Date.now();
    for (const line of lines) {
      const { tasks, inHand } = line;
      if (inHand.size > 0)
        await redis.call("XCLAIM", tasks, GROUP, consumer, "0", ...inHand.keys(), "JUSTID");
      const room = MOST_IN_HAND - inHand.size;
      if (room <= 0) continue;
      const given = [tasks, GROUP, consumer, String(claimAfterMs), "0-0", "COUNT", String(room)] as const;
      const left = claimedEntries(await redis.call("XAUTOCLAIM", ...given));
      const [first, last] = [left.at(0), left.at(-1)];
      if (first === undefined || last === undefined) continue;
      const counts = await redis.call("XPENDING", tasks, GROUP, first.id, last.id, String(MOST_IN_HAND * 4));
      take(line, left, pendingCounts(counts));
    }
    await forgetConsumers();
  }

  /** Each process reads under a name of its own; one that holds nothing and was not seen for a day is gone. */
  async function forgetConsumers(): Promise<void> {
    const script = `
for _, one in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local seen = {}
  for at = 1, #one, 2 do seen[one[at]] = one[at + 1] end
  if seen['pending'] == 0 and seen['idle'] > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], seen['name'])
  end
end`;
    for (const { tasks } of lines)
      await redis.call("EVAL", script, "1", tasks, GROUP, String(IDLE_CONSUMER_MS));
  }

  async function withRoom(): Promise<Line[]> {
    const unread = await Promise.all(lines.map(({ answers }) => redis.call("XLEN", answers)));
    return lines.filter(
      ({ inHand }, place) => inHand.size <= MOST_IN_HAND / 2 && Number(unread[place]) < MOST_UNREAD,
    );
  }

  async function readOnce(): Promise<void> {
    await claim();
    const ready = await withRoom();
    if (ready.length === 0) {
      await pause(LOOK_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
      return;
    }
    const count = Math.min(...ready.map(({ inHand }) => MOST_IN_HAND - inHand.size));
    // A stream that is full now is looked at again soon.
    const forMs = ready.length < lines.length ? LOOK_AGAIN_MS : READ_FOR_MS;
    const group = ["GROUP", GROUP, consumer, "COUNT", String(count), "BLOCK", String(forMs)];
    const keys = ready.map(({ tasks }) => tasks);
    const reply = await waiting.call("XREADGROUP", ...group, "STREAMS", ...keys, ...keys.map(() => ">"));
    const byKey = new Map(ready.map((line) => [line.tasks, line]));
    for (const [key, entries] of readEntries(reply)) {
      const line = byKey.get(key);
      if (line !== undefined) take(line, entries);
    }
  }

  async function run(): Promise<void> {
    await persist(stopping, prepare);
    while (!stopping.aborted) {
      try {
        await readOnce();
      } catch (error) {
        if (stopping.aborted) break;
        // A Redis that lost what it had has no groups: they are made anew.
        if (/NOGROUP|no such key/i.test(String(error))) await persist(stopping, prepare);
        else await pause(LOOK_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
    await Promise.all(lines.map(({ inHand }) => Promise.all(inHand.values())));
  }

  return run();
}
