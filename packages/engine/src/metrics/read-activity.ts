import { PipelineStatus } from "@signalbox/contracts";
import {
  type Activity,
  activityMeasures,
  activityOf,
  type ActivityRange,
  activitySpans,
  type ActivitySpans,
  MOST_IN_A_SPAN,
} from "@signalbox/core";
import { countEntries, type PipelineTimes, readPipelineTimes } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

export type ActivityRead = {
  readonly spans: ActivitySpans;
  readonly activity: readonly Activity[];
  readonly completed: PipelineTimes;
};

const TIMED = 200;

/** What happened lately, from the record itself: the same on every node, and after a start as before it. */
export async function readActivity(
  system: System,
  { caller }: Asked,
  range: ActivityRange,
): Promise<ActivityRead> {
  authorise(caller, "metrics.read", undefined);
  const spans = activitySpans(range, system.clock.now().getTime());
  return transact(system, caller.tenantId, async (tx) => {
    const types = Object.values(activityMeasures).flat();
    const [counted, completed] = await Promise.all([
      countEntries(tx, types, spans, MOST_IN_A_SPAN),
      readPipelineTimes(tx, { status: PipelineStatus.COMPLETED, most: TIMED }),
    ]);
    return { spans, activity: activityOf(counted, spans), completed };
  });
}
