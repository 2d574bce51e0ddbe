import type { KeptEvent } from "@signalbox/core";
import { LONGEST_RUN, type NewTraceRun, type ReportedDispatch, type TurnKey } from "@signalbox/db";

/** A turn's events as they are stored: those together that stand one behind the other. */
export function runsOf(
  key: TurnKey,
  { stageId }: ReportedDispatch,
  kept: readonly KeptEvent[],
): Omit<NewTraceRun, "runNumber">[] {
  const runs: KeptEvent[][] = [];
  for (const one of kept.toSorted((first, second) => first.sequence - second.sequence)) {
    const run = runs.at(-1);
    const next = (run?.at(-1)?.sequence ?? -1) + 1;
    if (run !== undefined && one.sequence === next && run.length < LONGEST_RUN) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => {
    const own = { ...key, stageId, firstSequence: run[0]?.sequence ?? 0 };
    return Object.assign(own, {
      types: [...new Set(run.map(({ type }) => type))],
      eventIds: run.map(({ eventId }) => eventId.toLowerCase()),
      fingerprints: run.some(({ fingerprint }) => fingerprint !== null)
        ? run.map(({ fingerprint }) => fingerprint)
        : null,
      events: run.map((one) => printed(key, one)).join(","),
    });
  });
}

/** With its place, which most are sent without: then it is printed behind what was said, and the event not copied for it. */
function printed({ turnIndex }: TurnKey, { event, text, sequence }: KeptEvent): string {
  if ("turn_index" in event || "sequence" in event)
    return JSON.stringify({ ...event, turn_index: turnIndex, sequence });
  return `${(text ?? JSON.stringify(event)).slice(0, -1)},"turn_index":${turnIndex},"sequence":${sequence}}`;
}
