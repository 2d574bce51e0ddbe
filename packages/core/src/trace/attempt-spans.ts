import type { Correlation, Span } from "./span.ts";
import { attemptPath, EXECUTION, spanId } from "./span-ids.ts";
import { readSpans, span, type StoredSpan } from "./stored-span.ts";
import { toolCallSpans, type TracedToolEvent } from "./tool-call-spans.ts";

type OfAttempt = { readonly stageOrder: number; readonly attemptNumber: number };
export type TracedDispatch = OfAttempt & {
  readonly dispatchId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly sentAt: number;
  readonly spans: unknown;
};
export type TracedResult = OfAttempt & { readonly receivedAt: number; readonly spans: unknown };
export type TracedEnd = OfAttempt & { readonly endedAt: number; readonly why: string };

export type TracedAttempt = {
  readonly dispatch: TracedDispatch;
  readonly result: TracedResult | undefined;
  readonly end: TracedEnd | undefined;
  readonly toolEvents: readonly TracedToolEvent[];
  /** It is the dispatch that the stage waits for. */
  readonly current: boolean;
  /** When it was over at the latest; `null` where nothing tells. */
  readonly overBy: number | null;
};

/** TRACE-6: decision, execution, validation and gate of one attempt, side by side below their stage. */
export function attemptSpans(attempt: TracedAttempt, ofStage: Correlation, stageSpan: string): Span[] {
  const { dispatch, result } = attempt;
  const correlation: Correlation = {
    ...ofStage,
    agentId: dispatch.instanceId,
    dispatchId: dispatch.dispatchId,
    attemptNumber: dispatch.attemptNumber,
  };
  const path = attemptPath(dispatch.stageOrder, dispatch.attemptNumber);
  const place = (spans: readonly StoredSpan[]) =>
    spans.flatMap((stored) => placeSpan(stored, correlation, path, stageSpan));
  const told = result === undefined ? [] : readSpans(result.spans, `result of ${dispatch.dispatchId}`);
  // What came too late, and is kept as that, says nothing of the work: it had ended before.
  const worked = told.length === 0 ? [unreported(attempt, correlation, path, stageSpan)] : place(told);
  return [
    ...place(readSpans(dispatch.spans, `dispatch ${dispatch.dispatchId}`)),
    ...worked,
    ...worked
      .filter(({ name, parentSpanId }) => name === EXECUTION && parentSpanId === stageSpan)
      .flatMap((execution) => toolCallSpans(attempt.toolEvents, execution)),
  ];
}

/** TRACE-9: an attempt without a result was at work until it ended, and is open while nothing ended it. */
function unreported(
  { dispatch, end, current, overBy }: TracedAttempt,
  correlation: Correlation,
  path: string,
  parentSpanId: string,
): Span {
  const [placed] = placeSpan(span(EXECUTION, dispatch.sentAt), correlation, path, parentSpanId);
  const open = current && end === undefined;
  return {
    ...placed,
    endedAt: open ? null : Math.max(dispatch.sentAt, end?.endedAt ?? overBy ?? dispatch.sentAt),
    status: open ? "open" : "error",
    attributes: open ? {} : { ended: end?.why ?? "without a result" },
  };
}

function placeSpan(
  stored: StoredSpan,
  correlation: Correlation,
  above: string,
  parentSpanId: string,
): [Span, ...Span[]] {
  const path = `${above}/${stored.name}`;
  const placed: Span = {
    ...correlation,
    spanId: spanId(correlation.pipelineId, path),
    parentSpanId,
    name: stored.name,
    startedAt: stored.at,
    endedAt: stored.at + (stored.ms ?? 0),
    status: stored.failed === true ? "error" : "ok",
    attributes: stored.attributes ?? {},
  };
  const children = stored.children ?? [];
  return [placed, ...children.flatMap((child) => placeSpan(child, correlation, path, placed.spanId))];
}
