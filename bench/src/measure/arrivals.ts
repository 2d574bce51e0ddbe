import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "./statistics.ts";

export type Arrivals = { readonly perSecond: number; readonly warmUpMs: number; readonly windowMs: number };

export type StartLatency = {
  /** From the acceptance's answer until it starts. */
  readonly p50: number;
  readonly p99: number;
  /** From the moment it was asked for: the acceptance included. */
  readonly askedP50: number;
  readonly askedP99: number;
};

/** What is asked for work, and names each piece by the id that `started` will be called with. */
type Watched = { readonly ask: () => Promise<string>; readonly stop: () => Promise<void> };

type Known = { asked?: number; accepted?: number; started?: number };

/**
 * Asks for work at a steady rate that does not wait for what was asked before: a system that stalls is then charged
 * for everything that arrives meanwhile.
 */
export async function measureStartLatency(
  { perSecond, warmUpMs, windowMs }: Arrivals,
  watch: (started: (id: string) => void) => Promise<Watched>,
): Promise<StartLatency> {
  const known = new Map<string, Known>();
  const note = (id: string, more: Known) => void known.set(id, { ...known.get(id), ...more });
  const { ask, stop } = await watch((id) => note(id, { started: performance.now() }));
  try {
    const begin = performance.now();
    const asks: Promise<void>[] = [];
    for (let turn = 0; ; turn += 1) {
      const due = begin + (turn * 1000) / perSecond;
      if (due > begin + warmUpMs + windowMs) break;
      await pause(Math.max(0, due - performance.now()));
      asks.push(
        (async () => {
          const asked = performance.now();
          const id = await ask();
          note(
            id,
            due < begin + warmUpMs ? { accepted: performance.now() } : { asked, accepted: performance.now() },
          );
        })(),
      );
    }
    await Promise.all(asks);
    await untilAllStarted(known);
  } finally {
    await stop();
  }
  return summarise([...known.values()]);
}

const PATIENCE_MS = 10_000;

async function untilAllStarted(known: ReadonlyMap<string, Known>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const waiting = () => [...known.values()].filter(({ started }) => started === undefined).length;
  while (waiting() > 0) {
    if (performance.now() > end)
      throw new Error(`${waiting()} accepted, and not started ${PATIENCE_MS} ms later`);
    await pause(20);
  }
}

function summarise(known: readonly Known[]): StartLatency {
  const fromAccepted: number[] = [];
  const fromAsked: number[] = [];
  for (const { asked, accepted, started } of known) {
    if (asked === undefined || accepted === undefined || started === undefined) continue;
    // In one process the work may begin before the answer to its acceptance has been read.
    fromAccepted.push(Math.max(0, started - accepted));
    fromAsked.push(started - asked);
  }
  return {
    p50: percentile(fromAccepted, 0.5),
    p99: percentile(fromAccepted, 0.99),
    askedP50: percentile(fromAsked, 0.5),
    askedP99: percentile(fromAsked, 0.99),
  };
}
