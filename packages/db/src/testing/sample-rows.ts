import type { NewOpenDispatch, NewDispatch } from "../queries/write-dispatches.ts";
import type { NewPipeline } from "../queries/write-pipelines.ts";
import type { NewStage } from "../queries/write-stages.ts";

/** Rows as the engine writes them, for tests and benches; what a test is about it says itself. */
export const samplePipeline = (
  tenantId: string,
  pipelineId: string,
  more: Partial<NewPipeline> = {},
): NewPipeline => ({
  tenantId,
  pipelineId,
  revision: 1,
  status: 1,
  name: "paint a door",
  templateId: "painting",
  templateVersion: "1.0.0",
  traceId: `trace-${pipelineId}`,
  sourceTaskId: null,
  taskTitle: null,
  submittedByType: 3,
  submittedBy: "ada",
  state: `{"status":1}`,
  dueAt: null,
  endedAt: null,
  ...more,
});

export const sampleStage = (
  tenantId: string,
  pipelineId: string,
  stageOrder = 0,
  more: Partial<NewStage> = {},
): NewStage => ({
  tenantId,
  pipelineId,
  stageOrder,
  stageId: `stage-${stageOrder}`,
  taskType: "paint",
  status: 2,
  attemptNumber: 1,
  state: `{"stage":${stageOrder}}`,
  claimableAt: null,
  waitingSince: null,
  ...more,
});

const sent = (tenantId: string, pipelineId: string, stageOrder: number) => ({
  tenantId,
  pipelineId,
  stageOrder,
  attemptNumber: 1,
  stageId: `stage-${stageOrder}`,
  taskType: "paint",
  packId: "painter",
  instanceId: "one",
});

export const sampleDispatch = (tenantId: string, pipelineId: string, stageOrder = 0): NewDispatch => ({
  ...sent(tenantId, pipelineId, stageOrder),
  packVersion: "1.0.0",
  policyVersion: "1.0.0",
  envelope: `{"of":"${pipelineId}"}`,
  spans: "[]",
});

export const sampleOpenDispatch = (
  tenantId: string,
  pipelineId: string,
  stageOrder = 0,
  more: Partial<NewOpenDispatch> = {},
): NewOpenDispatch => ({
  ...sent(tenantId, pipelineId, stageOrder),
  timeoutAt: null,
  takeBy: null,
  leaseMs: null,
  ...more,
});
