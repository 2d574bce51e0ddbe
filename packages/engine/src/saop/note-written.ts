import type { Database, ReportedDispatch } from "@signalbox/db";
import type { Desk } from "./event-desk.ts";
import { type Facts, knownEventsOf } from "./known-events.ts";

/** After the commit: what the next reports on these attempts are judged on. */
export function noteWritten(
  database: Database,
  { attempts }: Desk,
  factsOf: (text: string) => Facts | undefined,
): void {
  const known = knownEventsOf(database).attempts;
  for (const [text, { ids, streams, fresh, shared }] of attempts) {
    for (const { runNumber, eventIds } of fresh) ids.note(runNumber, eventIds);
    const own = factsOf(text);
    known.keep(text, {
      ids,
      // What two processes write in turn is seldom as either of them left it.
      facts: own === undefined || shared ? undefined : withStreams(own, streams),
    });
  }
}

function withStreams(facts: Facts, streams: ReadonlyMap<number, unknown>): Facts {
  const { latestTurn, latestStream } = facts.dispatch;
  const latest = Math.max(latestStream ?? -1, ...streams.keys());
  if (latest === (latestStream ?? -1)) return facts;
  const dispatch: ReportedDispatch = {
    ...facts.dispatch,
    latestTurn: Math.max(latestTurn, latest),
    latestStream: latest,
  };
  return { ...facts, dispatch };
}
