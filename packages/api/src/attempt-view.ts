import type {
  AttemptConfidence,
  AttemptStanding,
  AttemptEvents,
  AttemptSummary,
  AttemptTurns,
  AttemptView,
} from "@signalbox/engine";

/** An attempt in the list of its pipeline's. */
export const attemptSummaryView = (attempt: AttemptSummary) => {
  // Named by the engine: the db's own name for it means nothing to the pages, which would take it for anything.
  const standing: AttemptStanding = attempt.standing;
  return {
    dispatchId: attempt.dispatchId,
    stageId: attempt.stageId,
    stageOrder: attempt.stageOrder,
    attemptNumber: attempt.attemptNumber,
    taskType: attempt.taskType,
    packId: attempt.packId,
    packVersion: attempt.packVersion,
    instanceId: attempt.instanceId,
    policyVersion: attempt.policyVersion,
    sentAt: attempt.sentAt.toISOString(),
    receivedAt: attempt.receivedAt?.toISOString() ?? null,
    atWork: attempt.atWork,
    standing,
    outcome: attempt.outcome,
  };
};

export const attemptView = ({ gate, steps, envelope, result, ...summary }: AttemptView) => ({
  ...attemptSummaryView(summary),
  envelope,
  result,
  gate: gate && gateView(gate),
  steps: steps.map(({ recordedAt, ...step }) => ({ ...step, recordedAt: recordedAt.toISOString() })),
});

const gateView = ({ gate, ...decided }: NonNullable<AttemptView["gate"]>) => ({
  ...decided,
  tier: gate.tier ?? "",
  checks: (gate.checks ?? []).map(({ gateName = "", passed = false, evidence = "" }) => ({
    name: gateName,
    passed,
    evidence,
  })),
  rejectReason: gate.rejectReason ?? "",
  rewindTargetStage: gate.rewindTargetStage ?? "",
  stageRetriesLeft: gate.stageRetriesLeft ?? 0,
  pipelineRetriesLeft: gate.pipelineRetriesLeft ?? 0,
  rejectionsLeft: gate.rejectionsLeft ?? 0,
});

export const attemptEventsView = ({ events, more }: AttemptEvents) => ({
  more,
  events: events.map(({ receivedAt, ...event }) => ({ ...event, receivedAt: receivedAt.toISOString() })),
});

export const attemptTurnsView = ({ turns, more }: AttemptTurns) => ({
  more,
  turns: turns.map(({ receivedAt, ...turn }) => ({ ...turn, receivedAt: receivedAt.toISOString() })),
});

export const confidenceView = ({ turnIndex, confidence }: AttemptConfidence) => ({ turnIndex, confidence });
