import { randomUUID } from "node:crypto";
import type { Engine } from "@signalbox/engine";
import { connectRedis } from "../redis-streams/redis.ts";
import { startIntake } from "./intake.ts";
import type { SapStream } from "./names.ts";
import { startTeller } from "./teller.ts";

export type SapStreamsOptions = {
  readonly engine: Engine;
  readonly url: string;
  /** The keys that may speak by a stream. */
  readonly streams: readonly SapStream[];
  readonly onFailure: (error: unknown, what: string) => void;
  /** What another process has read and not answered for so long is answered here. */
  readonly claimAfterMs?: number;
};

export type SapStreams = {
  /** Takes no more tasks; what is in hand is answered, and results are told until the streams are closed. */
  close(): Promise<void>;
};

const CLAIM_AFTER_MS = 30_000;

/** SAP V2.0 over Redis Streams (ADR 0047): for each key a stream of tasks in, and one of answers out. */
export function openSapStreams(options: SapStreamsOptions): SapStreams {
  const { engine, url, streams, onFailure, claimAfterMs = CLAIM_AFTER_MS } = options;
  const stopping = new AbortController();
  const redis = connectRedis(url, onFailure);
  const waiting = connectRedis(url, () => undefined);
  const shared = { engine, redis, stopping: stopping.signal, onFailure };
  const running = [
    startIntake({ ...shared, waiting, streams, consumer: randomUUID(), claimAfterMs }),
    ...streams.map((stream) => startTeller({ ...shared, stream })),
  ];
  return {
    async close() {
      stopping.abort();
      await waiting.close();
      await Promise.all(running);
      await redis.close();
    },
  };
}
