import type { ContextLevel, Ref, RefFreshnessCheck, TaskEnvelope } from "@signalbox/contracts";
import { effectiveContextLevel } from "../dispatch/assemble-context.ts";
import { dispatchSnapshot } from "../dispatch/dispatch-record.ts";
import type { Explanation } from "../dispatch/explain-dispatch.ts";
import type { RefreshOutcome } from "../dispatch/freshness.ts";
import type { Snapshot } from "../dispatch/snapshot.ts";
import type {
  DispatchDeferred,
  DispatchRefused,
  InputsUnfilled,
  StageDispatched,
} from "../pipeline/event.ts";
import type { StageView } from "../pipeline/ledger.ts";
import type { PipelineState } from "../pipeline/state.ts";
import type { StoredSpan } from "../trace/stored-span.ts";
import type { Task } from "./task.ts";

export type AttemptFacts = {
  readonly state: PipelineState;
  readonly task: Task;
  readonly snapshot: Snapshot;
  readonly tenantId: string;
  readonly traceId: string;
  /** Stages that wait besides this one, for admission. */
  readonly queueDepth: number;
  /** Of those, how many wait for the same task type and came before it. */
  readonly ahead: number;
  /** What came of fetching stale refs anew, by locator. */
  readonly refreshed: ReadonlyMap<string, RefreshOutcome>;
};

export type StageAttempt =
  | {
      readonly kind: "sent";
      readonly event: StageDispatched;
      readonly envelope: TaskEnvelope;
      readonly spans: readonly StoredSpan[];
      readonly policyVersion: string;
      readonly timeoutAt: number | null;
    }
  | { readonly kind: "refused"; readonly event: DispatchRefused }
  | { readonly kind: "deferred"; readonly event: DispatchDeferred }
  | { readonly kind: "unfilled"; readonly event: InputsUnfilled }
  /** These must be fetched anew before anything can be decided: ask again with what came of it. */
  | { readonly kind: "refresh"; readonly refs: readonly Ref[] }
  | { readonly kind: "deadline-reached" };

export const levelOf = ({ task }: AttemptFacts, { index }: StageView): ContextLevel =>
  effectiveContextLevel(task.stages[index]?.config?.handoffPolicy?.contextLevel);

/** What the record keeps of how an attempt was decided. */
export const snapshotOf = (
  explanation: Explanation,
  facts: AttemptFacts,
  stage: StageView,
  refFreshness: readonly RefFreshnessCheck[],
) =>
  dispatchSnapshot(explanation, {
    attemptNumber: stage.state.attemptNumber,
    contextLevel: levelOf(facts, stage),
    refFreshness,
  });
