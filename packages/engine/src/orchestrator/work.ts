import type { SignalboxError } from "@signalbox/contracts";
import type { Effect, InstanceRef, Redactor, RefreshOutcome, Snapshot, StandingEvent } from "@signalbox/core";
import type { BatchTransaction, DispatchKey, NewKeptAnswer } from "@signalbox/db";
import type { Draft, HeldPipeline, NewTask, PipelineKey } from "./draft.ts";
import type { Step } from "./step.ts";

/**
 * What the caller is told once the batch has committed. A refusal is an answer too: what was recorded of it (a late
 * result, say) commits with it.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: SignalboxError };

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const refuse = <T>(error: SignalboxError): Outcome<T> => ({ ok: false, error });

/** What is known of a tenant at the moment of a batch. */
export type Surroundings = {
  readonly now: number;
  readonly snapshot: Snapshot;
  readonly redactor: Redactor;
  readonly reportedOn: Step["reportedOn"];
  readonly onProbation: (ref: InstanceRef) => boolean;
};

type Addressed = {
  readonly key: PipelineKey;
  /** What must be read in the transaction before anything is decided. */
  readonly prepare?: (tx: BatchTransaction, around: Surroundings) => Promise<void>;
  /** What is kept of the answer for who asks again (D22), once it is decided. */
  readonly keeps?: () => NewKeptAnswer | undefined;
};

type StandingQuestion = InstanceRef & { readonly event: StandingEvent };

/** Something that is asked of a pipeline. It is run again when its batch is. */
export type Change<T = unknown> = Addressed & {
  readonly kind: "change";
  /** A sweep passes over a pipeline that somebody else is working on; a command waits for it. */
  readonly way: "command" | "sweep";
  /** Its READY stages stand at the head of their queue, or waited for something else: they are sent before others. */
  readonly atHead?: boolean;
  /** What this says of an instance's standing (D7): decided under the instance's lock before the pipeline decides. */
  readonly concerns?: (pipeline: HeldPipeline, around: Surroundings) => StandingQuestion | undefined;
  /** The attempt of which it must be known what its agent told; asked once for all of a batch. */
  readonly judges?: (pipeline: HeldPipeline) => DispatchKey | undefined;
  readonly decide: (step: Step) => Outcome<T>;
  /** The answer, where it depends on what was sent after the decision. */
  readonly conclude?: (draft: Draft) => T;
  /** What came of fetching refs anew, by locator, where the change is that somebody did. */
  readonly refreshed?: ReadonlyMap<string, RefreshOutcome>;
};

/** A pipeline that is to begin. */
export type Beginning<T = unknown> = Addressed & {
  readonly kind: "beginning";
  /** An outcome instead of a beginning is the answer of one that began before (D22). */
  readonly begin: (around: Surroundings) => Begun<T> | Outcome<T>;
};

type Begun<T> = {
  readonly held: HeldPipeline;
  readonly effects: readonly Effect[];
  readonly task: NewTask;
  readonly value: T;
};

export type Work<T = unknown> = Change<T> | Beginning<T>;
