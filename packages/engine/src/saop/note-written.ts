import type { Database } from "@signalbox/db";
import type { Desk } from "./event-desk.ts";
import { type KnownAttempt, knownEventsOf } from "./known-events.ts";

type Facts = Pick<KnownAttempt, "dispatch" | "redactor" | "policyVersion">;

/** After the commit: what the next reports on these attempts are judged on. */
export function noteWritten(database: Database, { attempts }: Desk, facts: ReadonlyMap<string, Facts>): void {
  const known = knownEventsOf(database).attempts;
  for (const [text, { ids, streams, fresh, runs, lastId }] of attempts) {
    for (const { eventIds, runNumber } of fresh) for (const id of eventIds) ids.add(id, runNumber);
    const own = facts.get(text);
    if (own === undefined) continue;
    const { dispatch, redactor, policyVersion } = own;
    const latest = Math.max(dispatch.latestStream ?? -1, ...streams.keys());
    known.keep(text, {
      dispatch: {
        ...dispatch,
        latestTurn: Math.max(dispatch.latestTurn, latest),
        latestStream: latest === -1 ? null : latest,
      },
      redactor,
      policyVersion,
      ids,
      runs,
      lastId: fresh.at(-1)?.eventIds[0] ?? lastId,
    });
  }
}
