import { z } from "zod";
import { CachePolicySchema } from "./cache.ts";
import {
  NameSchema,
  OpenObjectSchema,
  ProtocolVersionSchema,
  SecondsTimestampSchema,
  UuidSchema,
} from "./scalars.ts";

const PRESSURE_LEVELS = ["instant", "consulted", "deliberated"] as const;

/** SAP §4.1. Objects are loose: unknown fields are kept (D18). */
export const ConstitutionalContextSchema = z.looseObject({
  pressureLevel: z.enum(PRESSURE_LEVELS, {
    // D18: the spec's own example lacks the field, so the message has to say whose word counts.
    error: ({ input }) =>
      `${input === undefined ? "is required by SAP V2.0 §4.1" : "is not a pressure level"}: expected one of ` +
      PRESSURE_LEVELS.map((level) => JSON.stringify(level)).join(", "),
  }),
  principles: z.array(z.string()).optional(),
  pressure: z.record(z.string(), z.number().min(0).max(100)).optional(),
  objectives: z.array(z.string()).optional(),
  constraints: z.array(z.string()).optional(),
  riskTolerance: z.enum(["low", "medium", "high"]).optional(),
  territory: z.string().optional(),
  references: z.array(z.string()).optional(),
  cachePolicy: CachePolicySchema.optional(),
});
export type ConstitutionalContext = z.infer<typeof ConstitutionalContextSchema>;

export const TaskSchema = z.looseObject({
  protocolVersion: ProtocolVersionSchema,
  taskId: UuidSchema,
  parentTaskId: UuidSchema.nullable().optional(),
  correlationId: UuidSchema,
  issuedAt: SecondsTimestampSchema,
  issuer: z.looseObject({
    agentId: NameSchema,
    agentKind: z.enum(["user", "system", "agent"]),
    name: z.string().optional(),
  }),
  target: z.looseObject({
    agentId: NameSchema.optional(),
    capability: NameSchema,
    routingHints: OpenObjectSchema.optional(),
  }),
  constitutionalContext: ConstitutionalContextSchema,
  payload: OpenObjectSchema,
  outputContract: z
    .looseObject({ schema: OpenObjectSchema.optional(), format: z.string().optional() })
    .optional(),
  telemetry: z
    .looseObject({
      priority: z.enum(["low", "normal", "high", "urgent"]).optional(),
      deadline: SecondsTimestampSchema.optional(),
      budget: OpenObjectSchema.optional(),
      trace: z.boolean().optional(),
    })
    .optional(),
  replyTo: z.looseObject({ endpoint: z.string().optional(), expectAck: z.boolean().optional() }).optional(),
  attachments: z
    .array(
      z.looseObject({
        uri: z.string().optional(),
        kind: z.string().optional(),
        digest: z.string().optional(),
      }),
    )
    .optional(),
  tags: z.array(z.string()).optional(),
  meta: OpenObjectSchema.optional(),
});
export type Task = z.infer<typeof TaskSchema>;

/** SAP §4.1: `expectAck` is true where nothing is said. Kept out of the schema, which changes nothing it reads. */
export const expectsAck = (task: Task): boolean => task.replyTo?.expectAck ?? true;
