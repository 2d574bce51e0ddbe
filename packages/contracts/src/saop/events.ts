import { z } from "zod";
import { TimestampSchema } from "./timestamp.ts";
import { AgentIdSchema, TurnIndexSchema } from "./turn-envelope.ts";

/** SAOP §2. To add a type, write its schema and add it to the union; nothing else changes (§3). */
export const ThoughtStreamPayloadSchema = z.looseObject({
  type: z.literal("THOUGHT_STREAM"),
  agent_id: AgentIdSchema,
  turn_index: TurnIndexSchema,
  chunk: z.string(),
  is_final: z.boolean(),
});
export type ThoughtStreamPayload = z.infer<typeof ThoughtStreamPayloadSchema>;

export const ToolLifecycleInvokedPayloadSchema = z.looseObject({
  type: z.literal("TOOL_LIFECYCLE_INVOKED"),
  call_id: z.string().min(1),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  timestamp: TimestampSchema,
});
export type ToolLifecycleInvokedPayload = z.infer<typeof ToolLifecycleInvokedPayloadSchema>;

export const ToolLifecycleCompletedPayloadSchema = z.looseObject({
  type: z.literal("TOOL_LIFECYCLE_COMPLETED"),
  call_id: z.string().min(1),
  tool: z.string(),
  status: z.enum(["success", "failure", "timeout"]),
  duration_ms: z.number().min(0),
  timestamp: TimestampSchema,
});
export type ToolLifecycleCompletedPayload = z.infer<typeof ToolLifecycleCompletedPayloadSchema>;

export const TaskTransitionPayloadSchema = z.looseObject({
  type: z.literal("TASK_TRANSITION"),
  task_id: z.string().min(1),
  from_state: z.string(),
  to_state: z.string(),
  git_hash: z.string().optional(),
  timestamp: TimestampSchema,
});
export type TaskTransitionPayload = z.infer<typeof TaskTransitionPayloadSchema>;

export const SandboxPulsePayloadSchema = z.looseObject({
  type: z.literal("SANDBOX_PULSE"),
  line: z.string(),
  masked: z.boolean(),
  timestamp: TimestampSchema,
});
export type SandboxPulsePayload = z.infer<typeof SandboxPulsePayloadSchema>;

const PAYLOADS = [
  ThoughtStreamPayloadSchema,
  ToolLifecycleInvokedPayloadSchema,
  ToolLifecycleCompletedPayloadSchema,
  TaskTransitionPayloadSchema,
  SandboxPulsePayloadSchema,
] as const;

export const EventPayloadSchema = z.discriminatedUnion("type", PAYLOADS, {
  // zod's own message for an unknown discriminator is "Invalid input".
  error: (issue) =>
    issue.code === "invalid_union"
      ? `expected one of ${PAYLOADS.map(({ shape }) => JSON.stringify(shape.type.value)).join(", ")}`
      : undefined,
});
export type EventPayload = z.infer<typeof EventPayloadSchema>;

/**
 * SAOP §2, and two fields that the specification's order by turn and sequence needs and its wrapper lacks (ADR 0021). Both
 * may be left out, as §3 has it.
 */
export const EventSchema = z.looseObject({
  event_id: z.uuid(),
  session_id: z.string().min(1),
  /** The event's place in its turn, counted from 0. */
  sequence: z.int().min(0).optional(),
  /** The turn of an event whose payload names none. */
  turn_index: TurnIndexSchema.optional(),
  payload: EventPayloadSchema,
});
export type Event = z.infer<typeof EventSchema>;
