import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import type { EventKind } from "./event.ts";

type Permit = {
  readonly pipeline: readonly PipelineStatus[];
  /** `null`: the event is not about one stage. */
  readonly stage: readonly StageStatus[] | null;
};

const { RUNNING, PAUSED } = PipelineStatus;
const { READY, DISPATCHED, COMPLETED, FAILED, SKIPPED } = StageStatus;

const whileAtWork: Permit = { pipeline: [RUNNING, PAUSED], stage: [DISPATCHED] };

/**
 * PERMIT-1: which event is allowed in which status. The server checks an event, and a page enables a button, by
 * this table and by nothing else; what depends on more than a status stands in check-event.ts.
 */
export const permits: { readonly [kind in EventKind]: Permit } = {
  "stage-dispatched": { pipeline: [RUNNING], stage: [READY] },
  "dispatch-deferred": { pipeline: [RUNNING], stage: [READY] },
  "dispatch-refused": { pipeline: [RUNNING, PAUSED], stage: [READY] },
  "inputs-unfilled": { pipeline: [RUNNING], stage: [READY] },
  "transport-failed": whileAtWork,
  "dispatch-timed-out": whileAtWork,
  "lease-lost": whileAtWork,
  "agent-failed": whileAtWork,
  "result-accepted": whileAtWork,
  "result-invalid": whileAtWork,
  "handoff-requested": whileAtWork,
  "commit-noted": { pipeline: [RUNNING, PAUSED], stage: [DISPATCHED, COMPLETED, FAILED, SKIPPED] },
  "confidence-doubted": whileAtWork,
  "deadline-reached": { pipeline: [RUNNING, PAUSED], stage: null },
  pause: { pipeline: [RUNNING, PAUSED], stage: null },
  resume: { pipeline: [PAUSED], stage: null },
  abort: { pipeline: [RUNNING, PAUSED], stage: null },
  rewind: {
    pipeline: [RUNNING, PAUSED],
    stage: [READY, DISPATCHED, COMPLETED, FAILED, SKIPPED],
  },
  "escalation-resolved": { pipeline: [RUNNING, PAUSED], stage: null },
};

export const finished: readonly PipelineStatus[] = [
  PipelineStatus.COMPLETED,
  PipelineStatus.FAILED,
  PipelineStatus.ABORTED,
];

/**
 * The steps of 4.5, and D10's: a stage that no way leads to is SKIPPED without having been READY, and one whose inputs cannot be
 * filled (D11) has FAILED without having been sent. A RETRY passes through READY, because READY is the queue it waits in; a rewind, through REJECTED.
 */
export const stageTransitions: ReadonlyMap<StageStatus, readonly StageStatus[]> = new Map([
  [StageStatus.PENDING, [READY, SKIPPED]],
  [READY, [DISPATCHED, FAILED, SKIPPED, StageStatus.REJECTED, StageStatus.PENDING]],
  [DISPATCHED, [COMPLETED, READY, FAILED, SKIPPED, StageStatus.REJECTED, StageStatus.PENDING]],
  [COMPLETED, [StageStatus.REJECTED, StageStatus.PENDING]],
  [FAILED, [READY, SKIPPED, StageStatus.REJECTED, StageStatus.PENDING]],
  [SKIPPED, [StageStatus.REJECTED, StageStatus.PENDING]],
  [StageStatus.REJECTED, [READY]],
]);

export const pipelineTransitions: ReadonlyMap<PipelineStatus, readonly PipelineStatus[]> = new Map([
  [PipelineStatus.PENDING, [RUNNING]],
  [RUNNING, [PAUSED, PipelineStatus.COMPLETED, PipelineStatus.FAILED]],
  [PAUSED, [RUNNING, PipelineStatus.ABORTED]],
  [PipelineStatus.COMPLETED, []],
  [PipelineStatus.FAILED, []],
  [PipelineStatus.ABORTED, []],
]);
