import { spanId } from "./span-ids.ts";
import type { Span } from "./span.ts";

/** What an agent told of one of its calls: that it began, or that it ended. */
export type TracedToolEvent = {
  readonly stageOrder: number;
  readonly attemptNumber: number;
  readonly turnIndex: number;
  readonly sequence: number;
  readonly completed: boolean;
  readonly callId: string;
  readonly tool: string;
  readonly status: string | null;
  readonly claimedMs: number | null;
  readonly heardAt: number;
};

/**
 * TRACE-12: the calls that the agent told of, below its execution, by the times at which they were heard (D19). One
 * whose end was never told is open while the attempt goes on, and failed with it.
 */
export function toolCallSpans(events: readonly TracedToolEvent[], execution: Span): Span[] {
  const ends = Map.groupBy(
    events.filter(({ completed }) => completed),
    ({ callId }) => callId,
  );
  const begun = new Set<string>();
  return events.flatMap((event) => {
    if (event.completed) {
      // Who tells only of the end has told of the call.
      return begun.has(event.callId) ? [] : [placed(event, event, execution)];
    }
    begun.add(event.callId);
    return [placed(event, ends.get(event.callId)?.shift(), execution)];
  });
}

function placed(first: TracedToolEvent, end: TracedToolEvent | undefined, execution: Span): Span {
  const { turnIndex, sequence, tool, heardAt } = first;
  const endedAt = end === undefined ? execution.endedAt : end.heardAt;
  return {
    ...execution,
    spanId: spanId(execution.pipelineId, `${execution.spanId}/tool_call/${turnIndex}.${sequence}`),
    parentSpanId: execution.spanId,
    name: "tool_call",
    startedAt: heardAt,
    endedAt: endedAt === null ? null : Math.max(heardAt, endedAt),
    status: statusOf(end, execution),
    attributes: {
      tool,
      turn: turnIndex,
      ...(end === undefined || end.status === null ? {} : { status: end.status }),
      ...(end === undefined || end.claimedMs === null ? {} : { claimedMs: end.claimedMs }),
    },
  };
}

function statusOf(end: TracedToolEvent | undefined, execution: Span): Span["status"] {
  if (end !== undefined) return end.status === "success" ? "ok" : "error";
  return execution.endedAt === null ? "open" : "error";
}
