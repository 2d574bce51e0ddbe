import { z } from "zod";
import { openQuestion } from "../pipelines/answers.ts";

export const escalation = openQuestion.extend({
  pipelineId: z.string(),
  sourceTaskId: z.string().nullish(),
  taskTitle: z.string().nullish(),
  closedAt: z.string().nullable(),
  end: z
    .looseObject({
      kind: z.string(),
      option: z.string().optional(),
      by: z.looseObject({ id: z.string() }).optional(),
      comment: z.string().optional(),
      why: z.string().optional(),
    })
    .nullable(),
});
export type Escalation = z.infer<typeof escalation>;
