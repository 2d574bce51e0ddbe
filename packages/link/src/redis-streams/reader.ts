import { setTimeout as pause } from "node:timers/promises";
import type { Inbound, Reached } from "@signalbox/engine";
import { claimedEntries, type Entry, readEntries } from "./entries.ts";
import { hearEntry } from "./hear-entry.ts";
import { AGENTS, namesOf, SIGNALBOX } from "./names.ts";
import { connectRedis, type Redis } from "./redis.ts";

export type Reader = {
  /** Makes an instance's streams and groups where they are not there. */
  prepare(to: Reached): Promise<void>;
  /** Reads what an instance's processes say, until the function that it gives is called. */
  listen(to: Reached, inbound: Inbound): () => void;
  close(): Promise<void>;
};

export type ReaderOptions = {
  readonly url: string;
  /** This process, among those that read for Signalbox. */
  readonly consumer: string;
  readonly onFailure: (error: unknown, what: string) => void;
  readonly claimAfterMs?: number | undefined;
};

type Heard = { readonly to: Reached; readonly inbound: Inbound };

const READ_FOR_MS = 500;
const AT_ONCE = 100;
const CLAIM_AFTER_MS = 30_000;

/** What a process read and did not deal with, because it died over it, is claimed by the others. */
export function startReader(redis: Redis, options: ReaderOptions): Reader {
  const { url, consumer, onFailure, claimAfterMs = CLAIM_AFTER_MS } = options;
  const stopping = new AbortController();
  const heard = new Map<string, Heard>();
  // A read that waits keeps its connection to itself.
  const waiting = connectRedis(url, onFailure);
  let onListened: (() => void) | undefined;
  let claimedAt = 0;

  async function prepare(to: Reached): Promise<void> {
    const { work, results } = namesOf(to);
    await Promise.all([
      redis.call("XGROUP", "CREATE", work, AGENTS, "0", "MKSTREAM").catch(ignoreExisting),
      redis.call("XGROUP", "CREATE", results, SIGNALBOX, "0", "MKSTREAM").catch(ignoreExisting),
    ]);
  }

  async function deal(key: string, entries: readonly Entry[]): Promise<void> {
    const one = heard.get(key);
    if (one === undefined) return;
    await Promise.all(
      entries.map(async (entry) => {
        const isDone = await hearEntry(one.inbound, entry, (error) =>
          onFailure(error, `what instance ${one.to.instanceId} of pack ${one.to.packId} said`),
        );
        // Kept for the next claim where it cannot be dealt with at this moment.
        if (!isDone) return;
        await redis.call("XACK", key, SIGNALBOX, entry.id);
        await redis.call("XDEL", key, entry.id);
      }),
    );
  }

  async function claim(): Promise<void> {
    if (Date.now() - claimedAt < claimAfterMs) return;
    claimedAt = Date.now();
    for (const key of heard.keys()) {
      const count = ["COUNT", String(AT_ONCE)];
      const reply = await redis.call(
        "XAUTOCLAIM",
        key,
        SIGNALBOX,
        consumer,
        String(claimAfterMs),
        "0-0",
        ...count,
      );
      await deal(key, claimedEntries(reply));
    }
  }

  async function readOnce(): Promise<void> {
    const keys = [...heard.keys()];
    if (keys.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onListened = resolve;
      stopping.signal.addEventListener("abort", () => resolve(), { once: true });
      return promise;
    }
    await claim();
    const group = ["GROUP", SIGNALBOX, consumer, "COUNT", String(AT_ONCE), "BLOCK", String(READ_FOR_MS)];
    const reply = await waiting.call("XREADGROUP", ...group, "STREAMS", ...keys, ...keys.map(() => ">"));
    await Promise.all(readEntries(reply).map(([key, entries]) => deal(key, entries)));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await readOnce();
      } catch (error) {
        if (stopping.signal.aborted) return;
        // A Redis that lost what it had has no groups: they are made anew.
        if (/NOGROUP/.test(String(error)))
          await Promise.all([...heard.values()].map(({ to }) => prepare(to))).catch(() => undefined);
        await pause(200, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const running = run();
  return {
    prepare,
    listen(to, inbound) {
      const { results } = namesOf(to);
      const one = { to, inbound };
      prepare(to)
        .catch((error: unknown) => onFailure(error, "making streams in Redis"))
        .finally(() => {
          heard.set(results, one);
          onListened?.();
        });
      return () => {
        if (heard.get(results) === one) heard.delete(results);
      };
    },
    async close() {
      stopping.abort();
      await waiting.close();
      await running;
    },
  };
}

function ignoreExisting(error: unknown): void {
  if (!/BUSYGROUP/.test(String(error))) throw error;
}
