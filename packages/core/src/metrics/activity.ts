import { AuditEventType as Type } from "@signalbox/contracts";

/** What is counted over time, each by the entries that say it happened (METRIC-3). */
export const activityMeasures = {
  pipelinesBegun: [Type.PIPELINE_CREATED],
  pipelinesCompleted: [Type.PIPELINE_COMPLETED],
  pipelinesFailed: [Type.PIPELINE_FAILED],
  pipelinesAborted: [Type.PIPELINE_ABORTED],
  dispatchesSent: [Type.DISPATCH_SENT],
  dispatchesTimedOut: [Type.DISPATCH_TIMEOUT],
  resultsInvalid: [Type.RESULT_INVALID],
  gatesPassed: [Type.GATE_PASSED],
  gatesFailed: [Type.GATE_FAILED, Type.GATE_REJECTED],
  questionsAsked: [Type.ESCALATION],
  questionsAnswered: [Type.ESCALATION_RESOLVED],
  instancesQuarantined: [Type.AGENT_QUARANTINED],
} as const satisfies Record<string, readonly Type[]>;
export type ActivityMeasure = keyof typeof activityMeasures;

const isMeasure = (name: string): name is ActivityMeasure => Object.hasOwn(activityMeasures, name);
export const activityNames = Object.keys(activityMeasures).filter(isMeasure);

export const activityRanges = ["hour", "day", "week"] as const;
export type ActivityRange = (typeof activityRanges)[number];

const MINUTE_MS = 60_000;
const shapes: Readonly<Record<ActivityRange, { count: number; stepMs: number }>> = {
  hour: { count: 12, stepMs: 5 * MINUTE_MS },
  day: { count: 24, stepMs: 60 * MINUTE_MS },
  week: { count: 28, stepMs: 360 * MINUTE_MS },
};

/** The spans that a range is told in, the last one under way: they begin where the clock's own do. */
export type ActivitySpans = { readonly from: number; readonly stepMs: number; readonly count: number };

export function activitySpans(range: ActivityRange, now: number): ActivitySpans {
  const { count, stepMs } = shapes[range];
  return { from: Math.floor(now / stepMs) * stepMs - (count - 1) * stepMs, stepMs, count };
}

/** What one span of one type is counted to; beyond it there are "more than" so many. */
export const MOST_IN_A_SPAN = 10_000;

export type CountedSpan = { readonly eventType: number; readonly span: number; readonly count: number };
export type Activity = {
  readonly measure: ActivityMeasure;
  readonly counts: readonly number[];
  readonly total: number;
  /** Some span holds more than is counted, and the total with it. */
  readonly isLeast: boolean;
};

export function activityOf(counted: readonly CountedSpan[], { count }: ActivitySpans): Activity[] {
  return activityNames.map((measure) => {
    const types: readonly number[] = activityMeasures[measure];
    const own = counted.filter(({ eventType }) => types.includes(eventType));
    const counts = Array.from({ length: count }, (_, span) => sum(own.filter((one) => one.span === span)));
    return {
      measure,
      counts,
      total: sum(own),
      isLeast: own.some((one) => one.count >= MOST_IN_A_SPAN),
    };
  });
}

const sum = (spans: readonly CountedSpan[]): number => spans.reduce((all, one) => all + one.count, 0);
