import type { Redactor } from "@signalbox/core";
import type { Database, ReportedDispatch } from "@signalbox/db";
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
  const attempts = new Map<string, { readonly known: KnownAttempt; readonly weight: number }>();
  let total = 0;

  function drop(attempt: string): void {
    total -= attempts.get(attempt)?.weight ?? 0;
    attempts.delete(attempt);
  }

  function keep(attempt: string, known: KnownAttempt): void {
    drop(attempt);
    const weight = known.ids.size + BESIDE_IDS;
    attempts.set(attempt, { known, weight });
    total += weight;
    for (const oldest of attempts.keys()) {
      if (total <= most || oldest === attempt) break;
      drop(oldest);
    }
  }

  return {
    find: (attempt) => attempts.get(attempt)?.known,
    keep,
    doubt(attempt) {
      const ids = attempts.get(attempt)?.known.ids;
      if (ids !== undefined) keep(attempt, { ids, facts: undefined });
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
