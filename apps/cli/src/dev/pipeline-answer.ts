import { PipelineStatusSchema, StageStatusSchema } from "@signalbox/contracts";
import { noWayOn, type PipelineState, type StageState } from "@signalbox/core";
import type { Pipeline, Stage } from "../pipelines/answers.ts";

type Looked = { readonly state: PipelineState; readonly traceId: string; readonly createdAt: Date };

const moment = (milliseconds: number | null) =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** The state as REST would show it, so that progress is told in the same words. */
export const pipelineAnswer = ({ state, traceId, createdAt }: Looked): Pipeline => ({
  pipelineId: state.plan.pipelineId,
  pipelineName: state.plan.pipelineName,
  sourceTaskId: state.plan.sourceTaskId,
  status: PipelineStatusSchema.value[state.status]?.name ?? "",
  revision: state.revision,
  stages: state.plan.stages.flatMap((plan, order) => {
    const stage = state.stages[order];
    return stage === undefined ? [] : [stageAnswer(plan, stage)];
  }),
  trace: { traceId },
  templateId: state.plan.templateId,
  templateVersion: state.plan.templateVersion,
  submittedBy: state.plan.submitter,
  createdAt: createdAt.toISOString(),
  endedAt: moment(state.endedAt),
  deadlineAt: null,
  end: state.end,
  pause: state.pause && { reason: state.pause.reason, note: state.pause.note },
  retriesUsed: state.retriesUsed,
  rejectionsUsed: state.rejectionsUsed,
  openEscalations: state.escalations.map((open) => ({
    escalationId: open.escalationId,
    cause: open.cause,
    stageId: open.stageId,
    problem: open.problem,
    impact: open.impact,
    options: [...open.options],
    recommended: open.recommended,
    openedAt: new Date(open.openedAt).toISOString(),
  })),
});

const stageAnswer = (plan: PipelineState["plan"]["stages"][number], state: StageState): Stage => {
  const { stageId, stageName, taskType } = plan;
  const { status, attemptNumber, dispatch, result, wait, notBefore, hold, failure, skipReason } = state;
  return {
    stageId,
    stageName,
    taskType,
    status: StageStatusSchema.value[status]?.name ?? "",
    attemptNumber,
    dispatch: dispatch && {
      packId: dispatch.packId,
      instanceId: dispatch.instanceId,
      sentAt: new Date(dispatch.sentAt).toISOString(),
    },
    result: result && { status: { summary: result.summary } },
    resultOfPackId: result && result.packId,
    wait: wait && { reason: wait.reason },
    notBefore: moment(notBefore),
    waitsForEscalationId: hold,
    failure: failure && { code: failure.code, reason: failure.reason },
    skipReason,
    noWayOn: noWayOn({ plan, state }),
  };
};
