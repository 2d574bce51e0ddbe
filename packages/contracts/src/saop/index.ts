export {
  type Event,
  type EventPayload,
  EventPayloadSchema,
  EventSchema,
  type SandboxPulsePayload,
  SandboxPulsePayloadSchema,
  type TaskTransitionPayload,
  TaskTransitionPayloadSchema,
  type ThoughtStreamPayload,
  ThoughtStreamPayloadSchema,
  type ToolLifecycleCompletedPayload,
  ToolLifecycleCompletedPayloadSchema,
  type ToolLifecycleInvokedPayload,
  ToolLifecycleInvokedPayloadSchema,
} from "./events.ts";
export { TimestampSchema } from "./timestamp.ts";
export {
  type AgentId,
  AgentIdSchema,
  type TurnContent,
  TurnContentSchema,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  type TurnMetadata,
  TurnMetadataSchema,
} from "./turn-envelope.ts";
