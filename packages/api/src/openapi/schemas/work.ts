import { ContextOutSchema, DispatchAttemptSchema, TaskEnvelopeSchema } from "@signalbox/contracts";
import { z } from "zod";
import { time } from "./common.ts";
import { component, contractMessage } from "./component.ts";

export const leaseAnswer = component(
  "LeaseAnswer",
  z.strictObject({
    envelopes: z.array(contractMessage(TaskEnvelopeSchema)),
    leaseExpiresAt: time.nullable(),
    lostDispatchIds: z.array(z.string()),
  }),
);
/** RequestHandoffRequest, whose attempt the path names. */
export const handoffWish = component(
  "HandoffWish",
  z.strictObject({
    packId: z.string().min(1).optional().describe("Who should go on: this, or taskType, and not both."),
    taskType: z.string().min(1).optional().describe("What the stage should be."),
    reason: z.string().min(1).max(16_384),
    contextOut: contractMessage(ContextOutSchema).optional(),
    attempt: contractMessage(DispatchAttemptSchema).optional(),
  }),
);
export const handoffAnswer = component(
  "HandoffAnswer",
  z.strictObject({
    handoffId: z.string(),
    decision: z.enum(["HANDOFF_DECISION_APPROVED", "HANDOFF_DECISION_REFUSED", "HANDOFF_DECISION_PENDING"]),
    reason: z.string(),
  }),
);
export const renewal = component("Renewal", z.strictObject({ leaseExpiresAt: time }));
export const receipt = component("Receipt", z.strictObject({ receivedAt: time }));

export const submittedTask = component(
  "SubmittedTask",
  z.strictObject({ pipelineId: z.string(), traceId: z.string() }),
);
export const pipelineAnswer = component(
  "PipelineAnswer",
  z.strictObject({ pipelineId: z.string(), revision: z.int() }),
);
