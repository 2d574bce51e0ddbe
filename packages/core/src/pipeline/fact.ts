import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuditEventType,
  DispatchSnapshotSchema,
  EscalationSnapshotSchema,
  GateSnapshotSchema,
  PipelineStatus,
  ResultSnapshotSchema,
} from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type { Escalation, EscalationEnd } from "./escalation.ts";
import type { PipelinePlan, PolicyPlan } from "./plan.ts";
import type { PipelineState, StageState } from "./state.ts";

/** Who decided: a caller, or the orchestrator itself. */
export type Decider = Actor | { readonly type: "orchestrator"; readonly id: string };

/** What one fact did to the state. Applied in order, facts rebuild it (FOLD-1). */
export type StateChange =
  | { readonly kind: "created"; readonly plan: PipelinePlan; readonly startedAt: number }
  | {
      readonly kind: "pipeline";
      readonly set: Partial<Omit<PipelineState, "plan" | "stages" | "escalations">>;
    }
  | { readonly kind: "stage"; readonly stageId: string; readonly set: Partial<StageState> }
  | { readonly kind: "escalation-opened"; readonly escalation: Escalation }
  | { readonly kind: "escalation-closed"; readonly escalationId: string; readonly end: EscalationEnd };

export type FactAction =
  | "pipeline.created"
  | "pipeline.completed"
  | "pipeline.failed"
  | "pipeline.failed-on-deadline"
  | "pipeline.aborted"
  | "pipeline.paused-by-person"
  | "pipeline.paused-on-deadline"
  | "pipeline.paused-on-people"
  | "pipeline.resumed"
  | "dispatch.decided"
  | "dispatch.deferred"
  | "dispatch.refused"
  | "dispatch.sent"
  | "dispatch.transport-failed"
  | "dispatch.timed-out"
  | "dispatch.lease-lost"
  | "dispatch.agent-failed"
  | "dispatch.cancelled"
  | "result.received"
  | "result.stale"
  | "result.validated"
  | "result.invalid"
  | "answer.redacted"
  | "answer.failed"
  | "gate.passed"
  | "gate.passed-by-person"
  | "gate.rejected"
  | "stage.retried"
  | "stage.failed"
  | "stage.skipped"
  | "stage.rewound-by-person"
  | "commit.noted"
  | "handoff.requested"
  | "handoff.approved"
  | "handoff.refused"
  | "escalation.opened"
  | "escalation.taken"
  | "escalation.assigned"
  | "escalation.released"
  | "escalation.commented"
  | `escalation.resolved.${string}`;

/** The facts of the moment: the contract's snapshots, with times in milliseconds where core makes them itself. */
export type FactSnapshot =
  | { readonly case: "dispatch"; readonly value: MessageInitShape<typeof DispatchSnapshotSchema> }
  | { readonly case: "result"; readonly value: MessageInitShape<typeof ResultSnapshotSchema> }
  | { readonly case: "gate"; readonly value: MessageInitShape<typeof GateSnapshotSchema> }
  | { readonly case: "escalation"; readonly value: MessageInitShape<typeof EscalationSnapshotSchema> }
  | { readonly case: "pipeline"; readonly value: PipelineSnapshot }
  | { readonly case: "dispatch-end"; readonly value: DispatchEndSnapshot };

export type RetryBudget = {
  readonly stageRetriesLeft: number;
  readonly pipelineRetriesLeft: number;
  readonly rejectionsLeft: number;
};

export type PipelineSnapshot = {
  readonly templateId: string;
  readonly templateVersion: string;
  readonly status: PipelineStatus;
  readonly policy: PolicyPlan;
  readonly stageCount: number;
  readonly stagesCompleted: number;
  readonly stagesSkipped: number;
  readonly retriesUsed: number;
  readonly rejectionsUsed: number;
  readonly totalMs: number;
  readonly remainingMs: number | null;
  readonly risks: readonly string[];
};

export type DispatchEndSnapshot = {
  readonly packId: string;
  readonly instanceId: string;
  readonly durationMs: number;
  readonly dueAt: number | null;
  readonly cancelSent: boolean;
};

/** What an audit entry says of one decision. Its time and place in the order are the database's (D19). */
export type AuditFact = {
  readonly eventType: AuditEventType;
  readonly action: FactAction;
  readonly rationale: string;
  readonly actor: Decider;
  readonly stageId: string | null;
  readonly dispatchId: string | null;
  readonly attemptNumber: number;
  readonly packId: string | null;
  readonly snapshot: FactSnapshot | null;
  readonly changes: readonly StateChange[];
  /** Revision of the state that it made; `null` for one that belongs to no state, such as a stale result. */
  readonly revision: number | null;
};
