import type { Result } from "@signalbox/contracts/sap";
import type {
  AuditFact,
  CurrentDispatch,
  Effect,
  Escalation,
  EscalationEnd,
  PipelineState,
  StoredSpan,
  Task,
} from "@signalbox/core";

import type { NewEvent, NewSapTask, NewTurn } from "@signalbox/db";

export type PipelineKey = { readonly tenantId: string; readonly pipelineId: string };

/** One text for a key, for maps; a tenant's name holds no slash. */
export const keyText = ({ tenantId, pipelineId }: PipelineKey): string => `${tenantId}/${pipelineId}`;

/** A pipeline as it is known between batches. */
export type HeldPipeline = {
  readonly task: Task;
  readonly traceId: string;
  readonly state: PipelineState;
};

/** What a pipeline that a batch creates brings besides its state. */
export type NewTask = { readonly submission: string; readonly title: string; readonly sap?: AcceptedSapTask };

/** A task of SAP that a pipeline is begun for, and its first Result, which who sent it may be told. */
export type AcceptedSapTask = {
  readonly row: NewSapTask;
  readonly result: Result;
  /** As the pipeline stood then: the batch that begins it may send its first stage too. */
  readonly state: PipelineState;
};

export type SentDispatch = {
  readonly stageOrder: number;
  readonly attemptNumber: number;
  readonly stageId: string;
  readonly taskType: string;
  readonly dispatch: CurrentDispatch;
  readonly policyVersion: string;
  readonly envelope: string;
  readonly spans: readonly StoredSpan[];
  readonly timeoutAt: number | null;
  /** Somebody was waiting for it here, and gets it with the commit. */
  readonly handedTo: Delivery | undefined;
};

/** An agent that waits in this process for work. */
export type Delivery = { readonly leaseMs: number; committed(): void; failed(): void };

export type KeptResult = {
  readonly stageOrder: number;
  readonly attemptNumber: number;
  readonly standing: "counted" | "invalid" | "stale";
  readonly digest: Uint8Array;
  readonly result: string;
  readonly spans: readonly StoredSpan[];
};

export type KeptTurn = { readonly row: NewTurn; readonly news: NewEvent };

type Transition = Extract<Effect, { kind: "pipeline-transition" | "stage-transition" }>;

/** A pipeline while a batch decides on it, and everything that must be written of it. */
export type Draft = {
  readonly key: PipelineKey;
  readonly task: Task;
  readonly traceId: string;
  /** As it was locked; undefined for one that this batch creates. */
  readonly before: PipelineState | undefined;
  readonly created: NewTask | undefined;
  state: PipelineState;
  readonly facts: AuditFact[];
  readonly transitions: Transition[];
  readonly opened: Escalation[];
  readonly closed: { readonly escalationId: string; readonly end: EscalationEnd }[];
  readonly cancelled: CurrentDispatch[];
  readonly sent: SentDispatch[];
  readonly results: KeptResult[];
  /** Turns that a decision was taken on, to be kept with it, and what readers are told of them. */
  readonly turns: KeptTurn[];
  /** Stages whose attempt cannot go on before this moment, by their place: refs are being fetched, or something broke. */
  readonly postponed: Map<number, number>;
};

export const openDraft = (
  key: PipelineKey,
  { task, traceId, state }: HeldPipeline,
  created?: NewTask,
): Draft => ({
  key,
  task,
  traceId,
  before: created === undefined ? state : undefined,
  created,
  state,
  facts: [],
  transitions: [],
  opened: [],
  closed: [],
  cancelled: [],
  sent: [],
  results: [],
  turns: [],
  postponed: new Map(),
});

/** Takes in what a decision tells the world. */
export function takeEffects(draft: Draft, effects: readonly Effect[]): void {
  for (const effect of effects) {
    switch (effect.kind) {
      case "audit":
        draft.facts.push(effect.fact);
        break;
      case "pipeline-transition":
      case "stage-transition":
        draft.transitions.push(effect);
        break;
      case "open-escalation":
        draft.opened.push(effect.escalation);
        break;
      case "close-escalation":
        draft.closed.push(effect);
        break;
      case "cancel-dispatch":
        draft.cancelled.push(effect.dispatch);
        break;
      // Read off the state itself: what is READY in the end is what can be claimed.
      case "stage-ready":
      // The command that asked answers these: it holds the instance's standing, and the caller's connection.
      case "restore-instance":
      case "answer-handoff":
        break;
    }
  }
}

/** Nothing to write: the pipeline is as it was, and nothing was recorded of it. */
export const isUntouched = ({ facts, results, turns, postponed, created }: Draft): boolean =>
  created === undefined && facts.length + results.length + turns.length + postponed.size === 0;
