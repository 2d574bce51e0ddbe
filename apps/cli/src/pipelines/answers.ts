import { z } from "zod";

export const openQuestion = z.looseObject({
  escalationId: z.string(),
  cause: z.string(),
  stageId: z.string().nullable(),
  problem: z.string(),
  impact: z.string().default(""),
  options: z.array(z.string()),
  recommended: z.string(),
  openedAt: z.string(),
});
export type OpenQuestion = z.infer<typeof openQuestion>;

/** Who did it; a server from before kinds were told names none. */
const actor = z.looseObject({ type: z.string().default(""), id: z.string() });
export type Actor = z.infer<typeof actor>;

const stage = z.looseObject({
  stageId: z.string(),
  stageName: z.string().default(""),
  taskType: z.string(),
  status: z.string(),
  attemptNumber: z.number(),
  dispatch: z.looseObject({ packId: z.string(), instanceId: z.string(), sentAt: z.string() }).nullable(),
  result: z.looseObject({ status: z.looseObject({ summary: z.string().default("") }) }).nullable(),
  resultOfPackId: z.string().nullable().default(null),
  wait: z.looseObject({ reason: z.string() }).nullable(),
  notBefore: z.string().nullable().default(null),
  waitsForEscalationId: z.string().nullable(),
  failure: z.looseObject({ code: z.string(), reason: z.string() }).nullable(),
  skipReason: z.string().nullable(),
  noWayOn: z.string().nullable().default(null),
});
export type Stage = z.infer<typeof stage>;

export const pipeline = z.looseObject({
  pipelineId: z.string(),
  pipelineName: z.string(),
  sourceTaskId: z.string(),
  status: z.string(),
  revision: z.number(),
  stages: z.array(stage),
  trace: z.looseObject({ traceId: z.string() }),
  templateId: z.string(),
  templateVersion: z.string(),
  submittedBy: actor,
  submittedByName: z.string().nullish(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  deadlineAt: z.string().nullable(),
  pause: z
    .looseObject({
      reason: z.string(),
      note: z.string().default(""),
      by: actor.nullish(),
      byName: z.string().nullish(),
    })
    .nullable(),
  end: z
    .looseObject({
      by: actor,
      byName: z.string().nullish(),
      reason: z.string().default(""),
      escalationId: z.string().nullish(),
    })
    .nullish(),
  retriesUsed: z.number(),
  rejectionsUsed: z.number(),
  openEscalations: z.array(openQuestion),
});
export type Pipeline = z.infer<typeof pipeline>;

export const pipelineSummary = z.looseObject({
  pipelineId: z.string(),
  pipelineName: z.string(),
  sourceTaskId: z.string(),
  taskTitle: z.string().nullish(),
  status: z.string(),
  templateId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type PipelineSummary = z.infer<typeof pipelineSummary>;

export const commanded = z.looseObject({ pipelineId: z.string(), revision: z.number() });
