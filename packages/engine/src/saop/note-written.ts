import type { Database, ReportedDispatch } from "@signalbox/db";
import type { Desk } from "./event-desk.ts";
import { type KnownAttempt, knownEventsOf } from "./known-events.ts";

type Facts = Pick<KnownAttempt, "dispatch" | "redactor" | "policyVersion">;

function withStreams(dispatch: ReportedDispatch, streams: ReadonlyMap<number, unknown>): ReportedDispatch {
  const latest = Math.max(dispatch.latestStream ?? -1, ...streams.keys());
  if (latest === (dispatch.latestStream ?? -1)) return dispatch;
  return { ...dispatch, latestTurn: Math.max(dispatch.latestTurn, latest), latestStream: latest };
}

/** After the commit: what the next reports on these attempts are judged on. */
export function noteWritten(database: Database, { attempts }: Desk, facts: ReadonlyMap<string, Facts>): void {
  const known = knownEventsOf(database).attempts;
  for (const [text, { ids, streams, fresh, runs, lastId }] of attempts) {
    for (const { eventIds, runNumber } of fresh) for (const id of eventIds) ids.add(id, runNumber);
    const own = facts.get(text);
    if (own === undefined) continue;
    const { dispatch, redactor, policyVersion } = own;
    known.keep(text, {
      dispatch: withStreams(dispatch, streams),
      redactor,
      policyVersion,
      ids,
      runs,
      lastId: fresh.at(-1)?.eventIds[0] ?? lastId,
    });
  }
}
