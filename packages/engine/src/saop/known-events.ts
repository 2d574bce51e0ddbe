import type { Redactor } from "@signalbox/core";
import type { Database, ReportedDispatch } from "@signalbox/db";
import { LRUCache } from "lru-cache";
import type { EventIds } from "./event-ids.ts";
import { sealedStreams, type SealedStreams } from "./sealed-streams.ts";

/** What reports on an attempt were judged on when it was last written. Whether it is so still is demanded when they are written. */
export type Facts = {
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
  readonly policyVersion: string | null;
};

/** What this process knows of an attempt. The ids of its runs are never wrong, only behind; the facts may be. */
export type KnownAttempt = { readonly ids: EventIds; readonly facts: Facts | undefined };

export type KnownAttempts = {
  find(attempt: string): KnownAttempt | undefined;
  keep(attempt: string, known: KnownAttempt): void;
  /** Its next report asks for the facts anew. */
  doubt(attempt: string): void;
};

/** Of all attempts together, each with what it costs beside its ids: some forty megabytes. */
const MOST_IDS = 2_000_000;
const BESIDE_IDS = 150;

/**
 * Attempts are dropped whole, those that nobody reported on for longest first. The latest is kept whatever it takes: read anew for
 * each report, it would cost more.
 */
export function knownAttempts(most = MOST_IDS): KnownAttempts {
  const attempts = new LRUCache<string, KnownAttempt>({
    maxSize: most,
    sizeCalculation: ({ ids }) => Math.min(most, ids.size + BESIDE_IDS),
  });
  return {
    find: (attempt) => attempts.peek(attempt),
    keep: (attempt, known) => void attempts.set(attempt, known),
    doubt(attempt) {
      const ids = attempts.peek(attempt)?.ids;
      if (ids !== undefined) attempts.set(attempt, { ids, facts: undefined });
    },
  };
}

export type KnownEvents = { readonly attempts: KnownAttempts; readonly streams: SealedStreams };

const ofDatabases = new WeakMap<Database, KnownEvents>();

/** The process's own, for whoever works on this database. */
export function knownEventsOf(database: Database): KnownEvents {
  const known = ofDatabases.get(database) ?? {
    attempts: knownAttempts(),
    streams: sealedStreams(database.seal),
  };
  ofDatabases.set(database, known);
  return known;
}
