export { type Agent, startAgent } from "./agent.ts";
export type { AgentSettings, Condition, Timing } from "./agent-settings.ts";
export {
  type Answer,
  blockedByPolicy,
  evidenceFrom,
  type EvidenceItemInit,
  failed,
  failedForGood,
  needsAnswer,
  partlyDone,
  sentBack,
  succeeded,
} from "./answer.ts";
export {
  type Attempt,
  type Client,
  createClient,
  type HandoffOutcome,
  type HandoffWish,
  manifestFromJson,
  type InstanceName,
  type Leased,
} from "./client.ts";
export type { AttachmentReference, Attachments, NamedAttachment } from "./attachments.ts";
export type { Dispatch } from "./dispatch.ts";
export type { Progress, Turn } from "./progress.ts";
export { type Connection, RefusedAnswer } from "./request.ts";
export {
  type AgentManifest,
  ArtifactAction,
  Confidence,
  EvidenceType,
  HealthStatus,
  RiskTier,
  SignalboxError,
  type TaskEnvelope,
} from "@signalbox/contracts";
export { readAnswer, type ReadAnswer, withProtocol } from "@signalbox/contracts/sacp";
