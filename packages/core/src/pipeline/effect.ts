import type { PipelineStatus, StageStatus } from "@signalbox/contracts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Escalation, EscalationEnd } from "./escalation.ts";
import type { AuditFact, FactAction } from "./fact.ts";
import type { CurrentDispatch } from "./state.ts";

/** What the world must be told, in the order in which it was decided. All of it commits with the state, or none. */
export type Effect =
  | { readonly kind: "audit"; readonly fact: AuditFact }
  | { readonly kind: "pipeline-transition"; readonly from: PipelineStatus; readonly to: PipelineStatus }
  | {
      readonly kind: "stage-transition";
      readonly stageId: string;
      readonly from: StageStatus;
      readonly to: StageStatus;
      readonly attemptNumber: number;
      /** HEAD of the repository at that moment, where the agent has named a commit (TAS-114). */
      readonly gitHash: string | null;
    }
  /** The agent is told to stop; whatever it reports later is stale (D6). */
  | {
      readonly kind: "cancel-dispatch";
      readonly stageId: string;
      readonly dispatch: CurrentDispatch;
      readonly because: FactAction;
    }
  | { readonly kind: "open-escalation"; readonly escalation: Escalation }
  | { readonly kind: "close-escalation"; readonly escalationId: string; readonly end: EscalationEnd }
  /** The stage may be claimed, from `notBefore` on. */
  | {
      readonly kind: "stage-ready";
      readonly stageId: string;
      readonly attemptNumber: number;
      readonly notBefore: number | null;
    }
  | { readonly kind: "restore-instance"; readonly instance: InstanceRef }
  | {
      readonly kind: "answer-handoff";
      readonly dispatchId: string;
      readonly approved: boolean;
      readonly why: string;
    };
