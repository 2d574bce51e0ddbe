import type { JsonObject } from "@bufbuild/protobuf";
import { PipelineStatus, PipelineStatusSchema, StageStatus, StageStatusSchema } from "@signalbox/contracts";
import { allStages, type StageView } from "../pipeline/ledger.ts";
import type { PipelineState } from "../pipeline/state.ts";
import {
  attemptSpans,
  type TracedAttempt,
  type TracedDispatch,
  type TracedEnd,
  type TracedResult,
} from "./attempt-spans.ts";
import { completionSpans } from "./completion-spans.ts";
import type { Correlation, Span } from "./span.ts";
import { rootSpanId, stageSpanId } from "./span-ids.ts";
import type { TracedToolEvent } from "./tool-call-spans.ts";

/** What is stored of a pipeline's work, in any order. */
export type TracedPipeline = {
  readonly tenantId: string;
  readonly traceId: string;
  readonly state: PipelineState;
  readonly dispatches: readonly TracedDispatch[];
  readonly results: readonly TracedResult[];
  /** How dispatches without a result ended, where the audit entries were read. */
  readonly ends?: readonly TracedEnd[];
  /** What agents told of their calls of tools, where that was read; each attempt's in its order. */
  readonly toolEvents?: readonly TracedToolEvent[];
};

/** TRACE-1, TRACE-6 (A2A 5.1): the spans of a pipeline, its root first, each before what is below it. */
export function traceTree(traced: TracedPipeline): Span[] {
  const { state, tenantId, traceId } = traced;
  const { pipelineId } = state.plan;
  const correlation: Correlation = {
    traceId,
    tenantId,
    pipelineId,
    agentId: "",
    stageId: "",
    dispatchId: "",
    attemptNumber: 0,
  };
  const root: Span = {
    ...correlation,
    spanId: rootSpanId(pipelineId),
    parentSpanId: "",
    name: "pipeline",
    startedAt: state.startedAt,
    endedAt: state.endedAt,
    status: pipelineStanding(state),
    attributes: rootAttributes(state),
  };
  return [
    root,
    ...allStages(state).flatMap((stage) => stageSpans(traced, stage, correlation)),
    ...completionSpans(state, correlation),
  ];
}

function pipelineStanding({ status, endedAt }: PipelineState): Span["status"] {
  if (endedAt === null) return "open";
  return status === PipelineStatus.COMPLETED ? "ok" : "error";
}

const rootAttributes = ({ plan, status, revision }: PipelineState): JsonObject => ({
  pipelineName: plan.pipelineName,
  templateId: plan.templateId,
  templateVersion: plan.templateVersion,
  status: PipelineStatusSchema.value[status]?.localName ?? "",
  revision,
});

/** TRACE-7: a stage for which nothing was ever sent did nothing, and has no span. */
function stageSpans(traced: TracedPipeline, stage: StageView, correlation: Correlation): Span[] {
  const attempts = attemptsOf(traced, stage.index);
  const [first] = attempts;
  if (first === undefined) return [];
  const ofStage = { ...correlation, stageId: stage.plan.stageId };
  const spanId = stageSpanId(correlation.pipelineId, stage.index);
  const below = attempts.flatMap((attempt) => attemptSpans(attempt, ofStage, spanId));
  const over = settled.has(stage.state.status) || traced.state.endedAt !== null;
  return [
    {
      ...ofStage,
      spanId,
      parentSpanId: rootSpanId(correlation.pipelineId),
      name: "stage",
      startedAt: Math.min(...below.map(({ startedAt }) => startedAt)),
      endedAt: over ? latestEnd(below) : null,
      status: over ? stageStanding(stage) : "open",
      attributes: stageAttributes(stage),
    },
    ...below,
  ];
}

const settled: ReadonlySet<StageStatus> = new Set([
  StageStatus.COMPLETED,
  StageStatus.FAILED,
  StageStatus.SKIPPED,
]);

const latestEnd = (spans: readonly Span[]): number =>
  Math.max(...spans.map(({ startedAt, endedAt }) => endedAt ?? startedAt));

const stageStanding = ({ state }: StageView): Span["status"] =>
  state.status === StageStatus.COMPLETED || state.status === StageStatus.SKIPPED ? "ok" : "error";

const stageAttributes = ({ plan, state }: StageView): JsonObject => ({
  stageName: plan.stageName,
  stageOrder: plan.stageOrder,
  taskType: plan.taskType,
  status: StageStatusSchema.value[state.status]?.localName ?? "",
  attempts: state.attemptNumber,
  ...(state.skipReason === null ? {} : { skipReason: state.skipReason }),
  ...(state.failure === null ? {} : { failureCode: state.failure.code }),
});

/** A dispatch ends at the latest when the next one of its stage is sent, or its pipeline is over. */
function attemptsOf(traced: TracedPipeline, stageOrder: number): TracedAttempt[] {
  const dispatches = traced.dispatches
    .filter((one) => one.stageOrder === stageOrder)
    .toSorted((one, other) => one.attemptNumber - other.attemptNumber);
  const current = traced.state.stages[stageOrder]?.dispatch?.dispatchId;
  return dispatches.map((dispatch, index) => {
    const mine = (other: { stageOrder: number; attemptNumber: number }) =>
      other.stageOrder === stageOrder && other.attemptNumber === dispatch.attemptNumber;
    return {
      dispatch,
      result: traced.results.find(mine),
      end: traced.ends?.find(mine),
      toolEvents: traced.toolEvents?.filter(mine) ?? [],
      current: dispatch.dispatchId === current,
      overBy: dispatches[index + 1]?.sentAt ?? traced.state.endedAt,
    };
  });
}
