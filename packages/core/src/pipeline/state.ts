import type {
  AgentResponse,
  Artifact,
  Confidence,
  ContextOut,
  Outcome,
  PipelineStatus,
  RiskTier,
  StageStatus,
} from "@signalbox/contracts";
import type { PinnedRef } from "../dispatch/freshness.ts";
import type { WaitReason } from "../dispatch/reasons.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Escalation } from "./escalation.ts";
import type { Decider } from "./fact.ts";
import type { PipelinePlan } from "./plan.ts";

/** All times are epoch milliseconds. */
export type PipelineState = {
  readonly plan: PipelinePlan;
  readonly status: PipelineStatus;
  /** Counts the facts that made this state; the n-th one made revision n. */
  readonly revision: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `null` while it goes on, and in rows that say nothing of it. */
  readonly end: PipelineEnd | null;
  readonly clock: Clock;
  readonly pause: Pause | null;
  readonly retriesUsed: number;
  readonly rejectionsUsed: number;
  /** In the plan's order. */
  readonly stages: readonly StageState[];
  /** Open ones, oldest first. */
  readonly escalations: readonly Escalation[];
  readonly escalationsOpened: number;
};

/** The deadlines: the pipeline's, by a clock that stops while PAUSED (D13), and the task's own, which is a moment of the world. */
export type Clock = {
  /** `null`: no deadline. */
  readonly remainingMs: number | null;
  /** `null`: stopped. */
  readonly runningSince: number | null;
  /** What the task itself says, or a person since; `null`: nothing. */
  readonly endsAt: number | null;
};

/** `waiting` ends by itself when something can move again; the other two end only by a person's word. */
export type PauseReason = "person" | "deadline" | "waiting";
export type Pause = {
  readonly reason: PauseReason;
  readonly since: number;
  /** Why, where somebody said so. */
  readonly note: string;
  /** The person, or whoever else asked for it; `null` where the pipeline paused by itself, and in rows that say nothing of it. */
  readonly by: Decider | null;
};

/** Who ended it, and why. */
export type PipelineEnd = {
  readonly by: Decider;
  /** What was said, or what the rule found; empty where a person said nothing. */
  readonly reason: string;
  /** The question whose answer ended it. */
  readonly escalationId: string | null;
};

export type StageState = {
  readonly status: StageStatus;
  /** The attempt at hand; 0 until the stage is READY for the first time. Never falls. */
  readonly attemptNumber: number;
  /** Retries since the stage last started afresh, counted against its `max_attempts`. */
  readonly retriesUsed: number;
  readonly handoffsUsed: number;
  /** How often what was sent was taken by nobody, or handed back by who had to stop, since an attempt last came to an end. */
  readonly sendsLost: number;
  readonly dispatch: CurrentDispatch | null;
  /** Backoff: READY, but not to be claimed before. */
  readonly notBefore: number | null;
  /** READY, and nobody can take it yet: since when, and when to ask again at the latest. */
  readonly wait: DispatchWait | null;
  /** The open escalation that this stage waits for. */
  readonly hold: string | null;
  /** The result that was accepted for the attempt at hand. */
  readonly result: StageResult | null;
  /** What an earlier attempt handed on, for the next one to see what was tried. */
  readonly priorContextOut: ContextOut | null;
  /** What the next attempt must know, oldest first. */
  readonly feedback: readonly Feedback[];
  readonly failure: StageFailure | null;
  readonly skipReason: string | null;
  /** What the stage's agent said of the repository that it works in; null where it said nothing. */
  readonly commit: StageCommit | null;
  /** Where its edges lead on, by stage id, once it has ended; `null` before, and for a stage without edges. */
  readonly edgesTaken: readonly string[] | null;
  /** The attempt about which a person was asked because its agent doubts it (D17); 0 for none. */
  readonly doubtedAttempt: number;
  /** Where an approved handoff sends it instead of where the template says (D24). */
  readonly reroute: Reroute | null;
  /** Stale references that a person lets travel as they are, until the stage starts afresh. */
  readonly acceptedRefs: readonly PinnedRef[];
  /** Who was sent the stage and gave no result, since it last started afresh: others go first (SENT-12). */
  readonly lostBy: readonly InstanceRef[];
};

export type DispatchWait = { readonly reason: WaitReason; readonly since: number; readonly until: number };

/** The fence (D6): what is reported counts only with this dispatch and attempt, and only once. */
export type CurrentDispatch = {
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly packId: string;
  readonly packVersion: string;
  readonly instanceId: string;
  /** The effective tier at which it was sent (D4); its result is judged at no other. */
  readonly riskTier: RiskTier;
  readonly sentAt: number;
  readonly dueAt: number | null;
  readonly reportedAt: number | null;
};

export type StageResult = {
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly packId: string;
  readonly acceptedAt: number;
  readonly outcome: Outcome;
  readonly confidence: Confidence;
  readonly summary: string;
  readonly contextOut: ContextOut | null;
  readonly artifacts: readonly Artifact[];
  readonly response: AgentResponse | null;
};

/** Git state correlation (TAS-114): commits that agents named, by their hashes. */
export type StageCommit = {
  /** The first that was named since the stage last started afresh: what was there before its work, or the first of it. */
  readonly first: string;
  /** The latest: HEAD. */
  readonly head: string;
  readonly notedAt: number;
};

export type FeedbackKind = "rejection" | "retry" | "answer" | "handoff";
export type Feedback = {
  readonly kind: FeedbackKind;
  readonly fromAttempt: number;
  /** Instructions, the answer, or what the agent that handed off said. */
  readonly text: string;
  /** What the agent had asked; or what a person was asked about the attempt, and why it is tried again or sent back. */
  readonly question: string | null;
  readonly failedChecks: readonly FailedCheck[];
  readonly by: Decider;
};
export type FailedCheck = { readonly gateName: string; readonly evidence: string };

export type StageFailure = {
  readonly code: string;
  readonly reason: string;
  readonly attemptNumber: number;
  /** The instance that was quarantined for it, which a person may restore (D7). */
  readonly quarantined: InstanceRef | null;
};
export type Reroute = { readonly taskType: string | null; readonly packId: string | null };
