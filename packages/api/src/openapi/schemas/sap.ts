import { ResultSchema, ResultStatusSchema, TaskSchema } from "@signalbox/contracts/sap";
import { z } from "zod";
import { time } from "./common.ts";
import { component } from "./component.ts";

export const sapTaskSchema = component("SapTask", TaskSchema);
export const sapResult = component("SapResult", ResultSchema);

const ack = component(
  "SapAck",
  z.strictObject({
    messageId: z.string(),
    taskId: z.uuid(),
    correlationId: z.uuid(),
    acceptedAt: time,
    status: ResultStatusSchema,
  }),
);

export const sapAnswer = component(
  "SapAnswer",
  z.strictObject({
    ack: ack.optional().meta({ description: "Absent where `replyTo.expectAck` is false." }),
    result: sapResult.optional().meta({ description: "Where there is one already, as the cache has it." }),
  }),
);

export const sapTranscript = component(
  "SapTranscript",
  z.strictObject({
    task: sapTaskSchema,
    digest: z.string().meta({ description: "SHA-256 of the task's canonical JSON (RFC 8785)." }),
    pipelineId: z.string().nullable().meta({ description: "Null where the cache answered." }),
    results: z.array(z.strictObject({ result: sapResult, digest: z.string(), recordedAt: time })),
  }),
);

export const mcpMessage = component("McpMessage", z.looseObject({ jsonrpc: z.literal("2.0") }));
