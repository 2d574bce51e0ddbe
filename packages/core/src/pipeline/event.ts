import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AgentResult, ContextOut, DispatchSnapshotSchema, RiskTier } from "@signalbox/contracts";
import type { PinnedRef } from "../dispatch/freshness.ts";
import type { EscalationReason, WaitReason } from "../dispatch/reasons.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Decider } from "./fact.ts";
import type { Resolution } from "./escalation.ts";
import type { GuardrailApplied } from "../sacp/guardrails.ts";
import type { Judgement } from "./judgement.ts";
import type { Reroute } from "./state.ts";

/** Which dispatch is spoken of (D6). */
export type Fence = {
  readonly stageId: string;
  readonly dispatchId: string;
  readonly attemptNumber: number;
};

type DispatchDecision = MessageInitShape<typeof DispatchSnapshotSchema>;

export type StageDispatched = Fence & {
  readonly kind: "stage-dispatched";
  readonly packId: string;
  readonly packVersion: string;
  readonly instanceId: string;
  readonly riskTier: RiskTier;
  readonly dueAt: number | null;
  readonly decision: DispatchDecision;
  readonly rationale: string;
};

/** Nobody can take it now, and somebody will (dispatch's "wait"). */
export type DispatchDeferred = {
  readonly kind: "dispatch-deferred";
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly reason: WaitReason;
  readonly until: number;
  readonly decision: DispatchDecision;
};

export type DispatchRefused = {
  readonly kind: "dispatch-refused";
  readonly stageId: string;
  readonly attemptNumber: number;
  /** Kept on record, never judged here. */
  readonly reason: EscalationReason | "stale-refs";
  readonly problem: string;
  readonly decision: DispatchDecision;
  /** The quarantined instance without which nobody is left, where that is the reason. */
  readonly quarantined: InstanceRef | null;
  /** The references that stand against it. */
  readonly staleRefs?: readonly PinnedRef[];
  /** Whether a person may let those travel as they are. */
  readonly accepting?: "possible" | "recommended";
};

/** D11: what the template maps into the stage has no value, and nothing is sent half filled. */
export type InputsUnfilled = {
  readonly kind: "inputs-unfilled";
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly problem: string;
};

export type TransportFailed = Fence & { readonly kind: "transport-failed"; readonly detail: string };
export type DispatchTimedOut = Fence & { readonly kind: "dispatch-timed-out" };
export type LeaseLost = Fence & { readonly kind: "lease-lost"; readonly leaseExpiredAt: number };
/** The agent said that it failed, and nothing that is a result. */
export type AgentFailed = Fence & { readonly kind: "agent-failed"; readonly detail: string };

export type ResultAccepted = Fence & {
  readonly kind: "result-accepted";
  /** Who reported: as the transport knows them, and never as the result claims. */
  readonly by: Decider;
  readonly result: AgentResult;
  readonly schemaVersionExpected: string;
  /** Rules of the policy that changed the answer before it counted (SACP 9.1). */
  readonly guardrails?: readonly GuardrailApplied[];
  /** `null` where the outcome alone decides: a failure, or blocked by policy. */
  readonly judgement: Judgement | null;
};

export type ResultInvalid = Fence & {
  readonly kind: "result-invalid";
  readonly by: Decider;
  readonly error: string;
  readonly schemaVersionReceived: string;
  readonly schemaVersionExpected: string;
  readonly consecutiveInvalid: number;
  readonly quarantined: boolean;
};

export type HandoffRequested = Fence & {
  readonly kind: "handoff-requested";
  readonly to: Reroute;
  readonly context: string;
  /** What the agent hands on, for who goes on. */
  readonly contextOut: ContextOut | null;
  /** What the policy's `handoffs` section says. */
  readonly verdict: { readonly allowed: boolean; readonly why: string };
};

/** TAS-114: the agent named the commit that its repository is at. */
export type CommitNoted = Fence & {
  readonly kind: "commit-noted";
  readonly by: Decider;
  readonly gitHash: string;
};

/** D17: the detector doubts the attempt. */
export type ConfidenceDoubted = Fence & { readonly kind: "confidence-doubted"; readonly problem: string };

type DeadlineReached = { readonly kind: "deadline-reached" };
type ByPerson = { readonly by: Decider; readonly note: string };
type PauseRequested = ByPerson & { readonly kind: "pause" };
type ResumeRequested = ByPerson & { readonly kind: "resume" };
export type AbortRequested = ByPerson & { readonly kind: "abort" };
export type RewindRequested = {
  readonly kind: "rewind";
  readonly stageId: string;
  readonly instructions: string;
  readonly by: Decider;
};
export type EscalationResolved = {
  readonly kind: "escalation-resolved";
  readonly escalationId: string;
  readonly resolution: Resolution;
  readonly by: Decider;
  readonly comment: string;
  /** Where a key submitted: the ids of who made it, and of who made a key that made it. */
  readonly submittersMakers?: readonly string[];
};

export type PipelineEvent =
  | StageDispatched
  | DispatchDeferred
  | DispatchRefused
  | InputsUnfilled
  | TransportFailed
  | DispatchTimedOut
  | LeaseLost
  | AgentFailed
  | ResultAccepted
  | ResultInvalid
  | HandoffRequested
  | CommitNoted
  | ConfidenceDoubted
  | DeadlineReached
  | PauseRequested
  | ResumeRequested
  | AbortRequested
  | RewindRequested
  | EscalationResolved;

export type EventKind = PipelineEvent["kind"];
