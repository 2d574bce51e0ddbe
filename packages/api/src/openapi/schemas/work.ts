import { TaskEnvelopeSchema } from "@signalbox/contracts";
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
