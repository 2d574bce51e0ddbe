import { randomUUID } from "node:crypto";
import type { AgentAdapter } from "@signalbox/engine";
import { cancel } from "./cancel.ts";
import { connectRedis, type Redis } from "./redis.ts";
import { type Reader, startReader } from "./reader.ts";
import { run } from "./run.ts";

export type RedisStreamsOptions = {
  readonly url: string;
  readonly onFailure: (error: unknown, what: string) => void;
  /** What nobody has read after so long is taken back. */
  readonly takeWithinMs?: number;
  /** What another process has read and not dealt with for so long is dealt with here. */
  readonly claimAfterMs?: number;
};

export type RedisCalls = RedisStreamsOptions & {
  readonly redis: Redis;
  readonly reader: Reader;
  /** Entries by dispatch, as long as they may have to be taken back. */
  readonly entries: Map<string, string>;
};

/** A stream of envelopes for each instance, read by as many processes as it has, and one for what they say. */
export function createRedisStreamsAdapter(options: RedisStreamsOptions): AgentAdapter {
  const { url, onFailure, claimAfterMs } = options;
  const redis = connectRedis(url, onFailure);
  const reader = startReader(redis, { url, consumer: randomUUID(), onFailure, claimAfterMs });
  const calls: RedisCalls = { ...options, redis, reader, entries: new Map() };
  return {
    // That an entry waits in a stream says nothing of who works on it: the agent renews.
    channelIsWork: false,
    refusal: (address) =>
      address === "" ? undefined : "must be empty: its stream is named after the instance",
    run: (to, envelope, signal) => run(calls, to, envelope, signal),
    cancel: (to, attempt) => cancel(calls, to, attempt),
    listen: (to, inbound) => reader.listen(to, inbound),
    async close() {
      await reader.close();
      await redis.close();
    },
  };
}
