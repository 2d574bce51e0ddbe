import { z } from "zod";
import { TimestampSchema } from "./timestamp.ts";

/** SAOP §1 and saop-turn-envelope.md. Objects are loose: fields a later version adds are kept. */
export const AgentIdSchema = z.enum(["researcher", "architect", "developer", "reviewer"]);
export type AgentId = z.infer<typeof AgentIdSchema>;

/** Zero-based, integral. */
export const TurnIndexSchema = z.int().min(0);

/** Text of any length: thoughts are kept verbatim (D16), so there is no upper bound here but the body's. */
export const TurnContentSchema = z.looseObject({
  thought: z.string(),
  action: z.string(),
  observation: z.string(),
});
export type TurnContent = z.infer<typeof TurnContentSchema>;

export const TurnMetadataSchema = z.looseObject({
  version: z.literal("1.0.0"),
  task_id: z.string().min(1),
  timestamp: TimestampSchema,
  confidence: z.number().min(0).max(1),
  estimated_complexity: z.enum(["low", "medium", "high"]),
});
export type TurnMetadata = z.infer<typeof TurnMetadataSchema>;

export const TurnEnvelopeSchema = z.looseObject({
  turn_index: TurnIndexSchema,
  agent_id: AgentIdSchema,
  role: AgentIdSchema,
  content: TurnContentSchema,
  metadata: TurnMetadataSchema,
});
export type TurnEnvelope = z.infer<typeof TurnEnvelopeSchema>;
