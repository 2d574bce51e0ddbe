import { FailureStrategySchema, PipelineStatusSchema } from "@signalbox/contracts";
import { deadlineAt, keyLabelOf, type PipelinePlan, type Span } from "@signalbox/core";
import type { PipelinePage, PipelineView } from "@signalbox/engine";
import { actorView } from "./actor-view.ts";
import { enumName } from "./enum-name.ts";
import { escalationView } from "./escalation-view.ts";
import { stageView } from "./stage-view.ts";
import { durationJsonOrNull, timeJson, timeJsonOrNull } from "./time-json.ts";

/**
 * The contract's `Pipeline` in its JSON mapping, and behind it what the message has no field for. Whoever reads the whole
 * as a `Pipeline` and ignores the fields that it does not know has one.
 */
export function pipelineView({ state, traceId, taskTitle, createdAt, updatedAt, names }: PipelineView) {
  const { plan } = state;
  const nameOf = ({ id }: { readonly id: string }) => names.get(id) ?? keyLabelOf(id) ?? null;
  return {
    pipelineId: plan.pipelineId,
    pipelineName: plan.pipelineName,
    sourceTaskId: plan.sourceTaskId,
    status: enumName(PipelineStatusSchema, state.status),
    stages: plan.stages.flatMap((stage, order) => {
      const at = state.stages[order];
      return at === undefined ? [] : [stageView(plan, stage, at)];
    }),
    trace: { traceId },
    policy: policyView(plan.policy),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),

    taskTitle,
    revision: state.revision,
    templateId: plan.templateId,
    templateVersion: plan.templateVersion,
    submittedBy: plan.submitter,
    submittedByName: nameOf(plan.submitter),
    startedAt: timeJson(state.startedAt),
    endedAt: timeJsonOrNull(state.endedAt),
    end: state.end && { ...state.end, byName: nameOf(state.end.by) },
    deadlineAt: timeJsonOrNull(deadlineAt(state)),
    pause: state.pause && {
      ...state.pause,
      since: timeJson(state.pause.since),
      byName: state.pause.by && nameOf(state.pause.by),
    },
    retriesUsed: state.retriesUsed,
    rejectionsUsed: state.rejectionsUsed,
    openEscalations: state.escalations.map(escalationView),
  };
}

const policyView = (policy: PipelinePlan["policy"]) => ({
  maxTotalRetries: policy.maxTotalRetries,
  maxRejections: policy.maxRejections,
  pipelineDeadline: durationJsonOrNull(policy.deadlineMs),
  failureStrategy: enumName(FailureStrategySchema, policy.failureStrategy),
  requireAllStages: policy.requireAllStages,
});

/** A pipeline in a list. */
export const pipelineSummaryView = (pipeline: PipelinePage["pipelines"][number]) => ({
  pipelineId: pipeline.pipelineId,
  pipelineName: pipeline.name,
  sourceTaskId: pipeline.sourceTaskId,
  taskTitle: pipeline.taskTitle,
  status: enumName(PipelineStatusSchema, pipeline.status),
  revision: pipeline.revision,
  templateId: pipeline.templateId,
  templateVersion: pipeline.templateVersion,
  traceId: pipeline.traceId,
  submittedBy: actorView(pipeline.submittedByType, pipeline.submittedBy),
  createdAt: pipeline.createdAt.toISOString(),
  updatedAt: pipeline.updatedAt.toISOString(),
  endedAt: pipeline.endedAt?.toISOString() ?? null,
  deadlineAt: pipeline.dueAt?.toISOString() ?? null,
});

/** Flat, the root first; `parentSpanId` makes it the tree. */
export const traceView = (spans: readonly Span[]) => ({
  traceId: spans[0]?.traceId ?? null,
  spans: spans.map((span) => ({
    ...span,
    startedAt: timeJson(span.startedAt),
    endedAt: timeJsonOrNull(span.endedAt),
  })),
});
