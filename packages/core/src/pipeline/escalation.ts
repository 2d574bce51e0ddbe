import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GateSnapshotSchema } from "@signalbox/contracts";
import type { PinnedRef } from "../dispatch/freshness.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Decider } from "./fact.ts";

export type EscalationCause =
  | "dispatch-refused"
  | "policy-blocked"
  | "gate"
  | "clarification"
  | "stage-failed"
  | "low-confidence"
  | "deadline";

export type EscalationOption =
  | "retry"
  | "advance"
  | "rewind"
  | "skip"
  | "answer"
  | "accept"
  | "restore"
  | "extend"
  | "resume"
  | "abort";

/** A question to a person. Silence decides nothing: it stays open until somebody answers or its stage moves on. */
export type Escalation = {
  /** Its own id, so that answers to parallel questions never cross. */
  readonly escalationId: string;
  readonly cause: EscalationCause;
  /** `null`: it concerns the pipeline as a whole. */
  readonly stageId: string | null;
  readonly attemptNumber: number;
  readonly problem: string;
  readonly impact: string;
  readonly options: readonly EscalationOption[];
  readonly recommended: EscalationOption;
  readonly blocking: boolean;
  readonly onTimeout: "stays-open";
  readonly openedAt: number;
  /** What the gate found, for the person who overrules or confirms it. */
  readonly gate: MessageInitShape<typeof GateSnapshotSchema> | null;
  readonly quarantined: InstanceRef | null;
  /** The references that stand against sending; `accept`, where it is offered, lets them travel as they are. */
  readonly staleRefs: readonly PinnedRef[];
};

/** What was chosen, with what the option needs. */
export type Resolution =
  | { readonly option: "retry"; readonly instructions: string }
  | { readonly option: "rewind"; readonly stageId: string; readonly instructions: string }
  | { readonly option: "answer"; readonly answer: string }
  | { readonly option: "extend"; readonly byMs: number }
  | { readonly option: "advance" | "skip" | "accept" | "restore" | "resume" | "abort" };

/** How an escalation ended: by a person's choice, or because what it asked about is no more. */
export type EscalationEnd =
  | {
      readonly kind: "resolved";
      readonly resolution: Resolution;
      readonly by: Decider;
      readonly comment: string;
    }
  | { readonly kind: "superseded"; readonly why: "rewound" | "pipeline-ended" | "attempt-ended" };

const aboutAttempt: ReadonlySet<EscalationCause> = new Set(["gate", "stage-failed", "policy-blocked"]);

/** ATTEMPT-6: what an attempt came to, where the question is about that. */
export const whyOf = ({ cause, problem }: Escalation): string | null =>
  aboutAttempt.has(cause) ? problem : null;
