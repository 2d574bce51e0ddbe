import { toJsonString } from "@bufbuild/protobuf";
import { type Ref, TaskEnvelopeSchema } from "@signalbox/contracts";
import { attemptStage, type Claim, claimsOf, type RefreshOutcome, type StageAttempt } from "@signalbox/core";
import type { Deliveries } from "./deliveries.ts";
import type { Draft } from "./draft.ts";
import { placeOf, type Step } from "./step.ts";

export type WantedRefs = { readonly stageId: string; readonly refs: readonly Ref[] };

export type DispatchOptions = {
  readonly deliveries: Deliveries;
  /** These stand at the head of their queue: nobody who waits is overtaken. */
  readonly atHead: boolean;
  readonly refreshed: ReadonlyMap<string, RefreshOutcome>;
  /** A stage whose attempt breaks is left for later and told of; it must not take the batch with it. */
  readonly onBroken: (error: unknown, draft: Draft, stageId: string) => void;
};

/** How long a stage is left alone while its refs are fetched anew, or after its attempt broke. */
const POSTPONED_MS = 30_000;

/**
 * Sends what can be sent of a pipeline, in the transaction that made it READY. A stage whose task type others wait for
 * stands behind them in the line: it is sent when its turn comes.
 */
export function dispatchReady(step: Step, options: DispatchOptions): WantedRefs[] {
  const { draft, now, registry } = step;
  const wanted: WantedRefs[] = [];
  const tried: string[] = [];
  for (;;) {
    const claim = claimsOf(draft.state, now).find(({ stageId }) => !tried.includes(stageId));
    if (claim === undefined) return wanted;
    tried.push(claim.stageId);
    const wait = draft.state.stages[placeOf(draft, claim.stageId)]?.wait ?? null;
    const itself = wait === null ? 0 : 1;
    const others = options.atHead ? 0 : registry.waiting(claim.taskType) - itself;
    // It has its place in the line already, and its turn comes.
    if (wait !== null && others > 0 && now < wait.until) continue;
    const before = draft.state;
    try {
      const attempt = attemptStage(
        {
          state: draft.state,
          task: draft.task,
          snapshot: registry.snapshot(),
          tenantId: draft.key.tenantId,
          traceId: draft.traceId,
          queueDepth: registry.queueDepth() - itself,
          ahead: wait === null ? Math.max(0, others) : 0,
          refreshed: options.refreshed,
        },
        claim,
        now,
      );
      if (attempt !== undefined) carryOut(step, claim, attempt, options, wanted);
    } catch (error) {
      // What was decided cannot be half kept: then the batch fails, and this work with it alone.
      if (draft.state !== before) throw error;
      draft.postponed.set(placeOf(draft, claim.stageId), now + POSTPONED_MS);
      options.onBroken(error, draft, claim.stageId);
    }
  }
}

function carryOut(
  step: Step,
  claim: Claim,
  attempt: StageAttempt,
  { deliveries }: DispatchOptions,
  wanted: WantedRefs[],
): void {
  const { draft, now } = step;
  switch (attempt.kind) {
    case "refresh":
      draft.postponed.set(placeOf(draft, claim.stageId), now + POSTPONED_MS);
      wanted.push({ stageId: claim.stageId, refs: attempt.refs });
      return;
    case "deadline-reached":
      step.decide({ kind: "deadline-reached" });
      return;
    case "deferred":
    case "refused":
    case "unfilled":
      step.decide(attempt.event);
      return;
    case "sent":
      send(step, claim, attempt, deliveries);
  }
}

function send(
  step: Step,
  claim: Claim,
  { event, envelope, spans, policyVersion, timeoutAt }: StageAttempt & { kind: "sent" },
  deliveries: Deliveries,
): void {
  const { draft } = step;
  const text = toJsonString(TaskEnvelopeSchema, envelope);
  if (step.decide(event) !== undefined) return;
  const stageOrder = placeOf(draft, claim.stageId);
  const dispatch = draft.state.stages[stageOrder]?.dispatch;
  if (dispatch === undefined || dispatch === null) return;
  const { tenantId } = draft.key;
  draft.sent.push({
    stageOrder,
    attemptNumber: claim.attemptNumber,
    stageId: claim.stageId,
    taskType: claim.taskType,
    dispatch,
    policyVersion,
    envelope: text,
    spans,
    timeoutAt,
    handedTo: deliveries.reserve(tenantId, dispatch, envelope),
  });
}
