import {
  PipelineStatusSchema,
  type PipelineStatus,
  StageStatusSchema,
  type StageStatus,
} from "@signalbox/contracts";
import type { Event } from "@signalbox/contracts/saop";
import { applyChange, pendingPipeline } from "../pipeline/apply-change.ts";
import type { AuditFact } from "../pipeline/fact.ts";
import { idempotencyKeyOf } from "../pipeline/ids.ts";
import { transitionOf } from "../pipeline/ledger.ts";
import type { PipelineState } from "../pipeline/state.ts";

/** An entry of a pipeline's record, and when the database took it (D19). */
export type RecordedFact = { readonly fact: AuditFact; readonly recordedAt: string };

export type TaskTransition = {
  /** Null for the pipeline as a whole. */
  readonly stageId: string | null;
  readonly attemptNumber: number;
  /** The revision that the decision made, and its place among the transitions of that decision. */
  readonly revision: number;
  readonly place: number;
  readonly recordedAt: string;
  readonly event: Event;
};

/**
 * SAOP-30, SAOP-31: the transitions of a pipeline as events, from its record. They are not stored a second time: the
 * record is what says that they happened, and it gives the same events, ids included, whenever it is asked.
 */
export function taskTransitions(facts: readonly RecordedFact[]): TaskTransition[] {
  const inOrder = facts
    .flatMap(({ fact, recordedAt }) =>
      fact.revision === null ? [] : { fact, recordedAt, revision: fact.revision },
    )
    .toSorted((one, other) => one.revision - other.revision);
  const created = inOrder[0]?.fact.changes.find((change) => change.kind === "created");
  if (created === undefined) return [];
  let state = pendingPipeline(created.plan, created.startedAt);
  return inOrder.flatMap(({ fact, recordedAt, revision }) => {
    const found: TaskTransition[] = [];
    state = { ...state, revision };
    for (const change of fact.changes) {
      const before = state;
      state = applyChange(state, change) ?? state;
      const transition = transitionOf(before, change);
      if (transition !== undefined) found.push(told(transition, { state, recordedAt, place: found.length }));
    }
    return found;
  });
}

type At = { readonly state: PipelineState; readonly recordedAt: string; readonly place: number };

function told(
  transition: NonNullable<ReturnType<typeof transitionOf>>,
  { state, recordedAt, place }: At,
): TaskTransition {
  const { pipelineId } = state.plan;
  const { revision } = state;
  const head = { revision, place, recordedAt };
  const wrap = (taskId: string, names: Names, gitHash: string | null): Event => ({
    event_id: eventIdOf(pipelineId, revision, place),
    session_id: pipelineId,
    payload: {
      type: "TASK_TRANSITION",
      task_id: taskId,
      ...names,
      ...(gitHash === null ? {} : { git_hash: gitHash }),
      timestamp: recordedAt,
    },
  });
  if (transition.kind === "pipeline-transition") {
    const event = wrap(pipelineId, pipelineNames(transition.from, transition.to), null);
    return { stageId: null, attemptNumber: 0, ...head, event };
  }
  const { stageId, attemptNumber, from, to, gitHash } = transition;
  const event = wrap(idempotencyKeyOf(pipelineId, stageId), stageNames(from, to), gitHash);
  return { stageId, attemptNumber, ...head, event };
}

type Names = { readonly from_state: string; readonly to_state: string };

/** A state of a later version. */
const UNKNOWN = "UNSPECIFIED";

const pipelineNames = (from: PipelineStatus, to: PipelineStatus): Names => ({
  from_state: PipelineStatusSchema.value[from]?.localName ?? UNKNOWN,
  to_state: PipelineStatusSchema.value[to]?.localName ?? UNKNOWN,
});
const stageNames = (from: StageStatus, to: StageStatus): Names => ({
  from_state: StageStatusSchema.value[from]?.localName ?? UNKNOWN,
  to_state: StageStatusSchema.value[to]?.localName ?? UNKNOWN,
});

/** A UUID of version 8 (RFC 9562): the pipeline's own random end, the revision and the place in it. */
function eventIdOf(pipelineId: string, revision: number, place: number): string {
  const random = pipelineId
    .replaceAll(/[^\da-f]/g, "")
    .padStart(15, "0")
    .slice(-15);
  return `${hex(revision, 8)}-${hex(place, 4)}-8${random.slice(0, 3)}-8000-${random.slice(3)}`;
}

const hex = (number: number, digits: number): string =>
  number.toString(16).padStart(digits, "0").slice(-digits);
