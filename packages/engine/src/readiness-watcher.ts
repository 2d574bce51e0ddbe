import { readinessOf, sameReadiness, type Readiness, type ReadinessFacts } from "@signalbox/core";
import { within, type Clock } from "./clock.ts";

export type DatedReadiness = Readiness & { at: Date };

export type ReadinessWatcher = {
  current(): DatedReadiness;
  /** Calls the listener at each change, until it is stopped. */
  onChange(listener: (readiness: DatedReadiness) => void): () => void;
  /** Looks now, as when a command has just met a database that does not answer. */
  look(): Promise<void>;
  /** Whether any process at work on this database looks for what is due. */
  noteLoops(atWork: boolean): void;
  /** From now on the process takes no new work. */
  drain(): void;
  stop(): void;
};

export type Watched = {
  clock: Clock;
  probe: () => Promise<void>;
  schema: () => Promise<ReadinessFacts["schema"]>;
  /** Hears why, once when the database is lost; never each time. */
  onLost?: (reason: unknown) => void;
};

const everyMs = 2_000;
const answerWithinMs = 3_000;

/** One watcher a process looks at the database; however many clients listen, they cost it nothing. */
export function watchReadiness({ clock, probe, schema, onLost }: Watched): ReadinessWatcher {
  let facts: ReadinessFacts = {
    draining: false,
    databaseReachable: false,
    schema: undefined,
    loopsAtWork: undefined,
  };
  let current: DatedReadiness = { ...readinessOf(facts), at: clock.now() };
  let looking: Promise<void> | undefined;
  const listeners = new Set<(readiness: DatedReadiness) => void>();

  const learn = (found: Partial<ReadinessFacts>) => {
    facts = { ...facts, ...found };
    const next = readinessOf(facts);
    if (sameReadiness(next, current)) return;
    current = { ...next, at: clock.now() };
    for (const listener of listeners) listener(current);
  };
  const lookOnce = async () => {
    try {
      await within(clock, answerWithinMs, probe());
      learn({ databaseReachable: true, schema: await within(clock, answerWithinMs, schema()) });
    } catch (reason) {
      if (facts.databaseReachable) onLost?.(reason);
      learn({ databaseReachable: false });
    }
  };
  const look = () =>
    (looking ??= lookOnce().finally(() => {
      looking = undefined;
    }));
  const stop = clock.repeat(everyMs, () => void look());

  return {
    current: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    noteLoops: (atWork) => learn({ loopsAtWork: atWork }),
    drain: () => learn({ draining: true }),
    stop,
  };
}

const ignore = () => {};

/** What is now, then each change. A reader that is slow gets the latest and none of those between. */
export async function* followReadiness(
  watcher: Pick<ReadinessWatcher, "current" | "onChange">,
  signal: AbortSignal,
): AsyncGenerator<DatedReadiness, void, undefined> {
  let wake: () => void = ignore;
  const stop = watcher.onChange(() => wake());
  const abort = () => wake();
  signal.addEventListener("abort", abort);
  try {
    let told: DatedReadiness | undefined;
    while (!signal.aborted) {
      const current = watcher.current();
      if (current === told) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        told = current;
        yield current;
      }
    }
  } finally {
    stop();
    signal.removeEventListener("abort", abort);
  }
}
