import type { Redactor } from "@signalbox/core";
import type { Database, ReportedDispatch } from "@signalbox/db";
import type { EventIds } from "./event-ids.ts";
import { sealedStreams, type SealedStreams } from "./sealed-streams.ts";

/** What this process knows of an attempt since it last wrote its events. What is judged on it is demanded when it is written. */
export type KnownAttempt = {
  readonly dispatch: ReportedDispatch;
  readonly redactor: Redactor;
  readonly policyVersion: string | null;
  /** How many runs are kept, the first id of the last, and the ids of all. */
  readonly runs: number;
  readonly lastId: string;
  readonly ids: EventIds;
};

export type KnownAttempts = {
  find(attempt: string): KnownAttempt | undefined;
  keep(attempt: string, known: KnownAttempt): void;
  forget(attempt: string): void;
};

/** Of all attempts together, each with what it costs beside its ids: some thirty megabytes. */
const MOST_IDS = 2_000_000;
const BESIDE_IDS = 100;

/** Forgotten whole, those that nobody reported on for longest first. The latest is kept whatever it takes: read anew for each report, it would cost more. */
export function knownAttempts(most = MOST_IDS): KnownAttempts {
  const attempts = new Map<string, { readonly known: KnownAttempt; readonly weight: number }>();
  let total = 0;

  function forget(attempt: string): void {
    total -= attempts.get(attempt)?.weight ?? 0;
    attempts.delete(attempt);
  }

  return {
    find: (attempt) => attempts.get(attempt)?.known,
    forget,
    keep(attempt, known) {
      forget(attempt);
      const weight = known.ids.size + BESIDE_IDS;
      attempts.set(attempt, { known, weight });
      total += weight;
      for (const oldest of attempts.keys()) {
        if (total <= most || oldest === attempt) break;
        forget(oldest);
      }
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
