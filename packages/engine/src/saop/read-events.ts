import { dispatchIdOf, factOf, taskTransitions, type TaskTransition } from "@signalbox/core";
import { EventPayloadSchema } from "@signalbox/contracts/saop";
import {
  listPipelineRecord,
  listTraceEvents,
  type StoredTraceEvent,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { readCursor, readLimit, refuseCursor, writeCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { type OfPipelinePage, readNumbers, requirePipeline } from "./read-turns.ts";

export const eventTypes = EventPayloadSchema.options.map(({ shape }) => shape.type.value);
export type EventType = (typeof eventTypes)[number];

export type EventView = {
  /** Null for what the orchestrator says of the pipeline as a whole. */
  readonly stageId: string | null;
  /** Null for what the orchestrator says. */
  readonly dispatchId: string | null;
  readonly attemptNumber: number;
  readonly receivedAt: Date;
  /** The event as it was kept. */
  readonly event: unknown;
};

export type EventPage = { readonly events: readonly EventView[]; readonly nextCursor: string | undefined };

type Place =
  | { readonly of: "pipeline"; readonly revision: number; readonly place: number }
  | {
      readonly of: "attempts";
      readonly after: [stage: number, attempt: number, turn: number, sequence: number] | undefined;
    };

/**
 * A pipeline's events, session by session: first the orchestrator's transitions as they were decided, then each attempt's
 * own by stage, attempt, turn and sequence, in whatever order they came.
 */
export async function readEvents(
  system: System,
  { caller }: Asked,
  page: OfPipelinePage & { readonly type?: EventType | undefined },
): Promise<EventPage> {
  authorise(caller, "trace.read", undefined);
  const limit = readLimit(page.limit);
  const place: Place =
    page.cursor === undefined ? { of: "pipeline", revision: 0, place: 0 } : readPlace(page.cursor);
  const found = await transact(system, caller.tenantId, async (tx) => {
    await requirePipeline(tx, page.pipelineId);
    if (page.stageId !== undefined && holdsNul(page.stageId)) return [];
    const wanted = limit + 1;
    const transitions =
      place.of === "pipeline" ? (await readTransitions(tx, page, place)).slice(0, wanted) : [];
    if (transitions.length === wanted) return transitions;
    const after = place.of === "attempts" ? place.after : undefined;
    return [...transitions, ...(await readOwn(tx, page, after, wanted - transitions.length))];
  });
  const shown = found.slice(0, limit);
  return {
    events: shown.map(({ view }) => view),
    nextCursor: found.length > limit ? shown.at(-1)?.cursor : undefined,
  };
}

type Found = { readonly view: EventView; readonly cursor: string };
type Wanted = Parameters<typeof readEvents>[2];

/** They are folded from all of the pipeline's record, which its budgets bound. */
async function readTransitions(
  tx: TenantTransaction,
  { pipelineId, stageId, type }: Wanted,
  after: Extract<Place, { of: "pipeline" }>,
): Promise<Found[]> {
  if (type !== undefined && type !== "TASK_TRANSITION") return [];
  const record = await listPipelineRecord(tx, pipelineId);
  const facts = record.map(({ recordedAt, payload }) => ({
    fact: factOf(JSON.parse(payload)),
    recordedAt: recordedAt.toISOString(),
  }));
  return taskTransitions(facts)
    .filter(
      ({ revision, place }) =>
        revision > after.revision || (revision === after.revision && place > after.place),
    )
    .filter((transition) => stageId === undefined || transition.stageId === stageId)
    .map(foundOf);
}

const foundOf = ({ stageId, attemptNumber, revision, place, recordedAt, event }: TaskTransition): Found => ({
  view: { stageId, dispatchId: null, attemptNumber, receivedAt: new Date(recordedAt), event },
  cursor: writeCursor(["p", String(revision), String(place)]),
});

async function readOwn(
  tx: TenantTransaction,
  { pipelineId, stageId, type }: Wanted,
  after: [number, number, number, number] | undefined,
  limit: number,
): Promise<Found[]> {
  const rows = await listTraceEvents(tx, pipelineId, {
    limit,
    stageId,
    type,
    after: after && {
      stageOrder: after[0],
      attemptNumber: after[1],
      turnIndex: after[2],
      sequence: after[3],
    },
  });
  return rows.map((row) => ({ view: viewOf(pipelineId, row), cursor: cursorOf(row) }));
}

const viewOf = (pipelineId: string, row: StoredTraceEvent): EventView => ({
  stageId: row.stageId,
  dispatchId: dispatchIdOf({ pipelineId, ...row }),
  attemptNumber: row.attemptNumber,
  receivedAt: new Date(row.receivedAt),
  event: JSON.parse(row.event) as unknown,
});

const cursorOf = ({ stageOrder, attemptNumber, turnIndex, sequence }: StoredTraceEvent): string =>
  writeCursor(["a", ...[stageOrder, attemptNumber, turnIndex, sequence].map(String)]);

function readPlace(cursor: string): Place {
  const [of, ...rest] = readAny(cursor);
  if (of === "p") {
    const [revision = 0, place = 0] = readNumbers(rest);
    return { of: "pipeline", revision, place };
  }
  if (of !== "a") throw refuseCursor();
  const [stage = 0, attempt = 0, turn = 0, sequence = 0] = readNumbers(rest);
  return { of: "attempts", after: [stage, attempt, turn, sequence] };
}

/** The two kinds of place have three parts and five. */
function readAny(cursor: string): string[] {
  try {
    return readCursor(cursor, 3);
  } catch {
    return readCursor(cursor, 5);
  }
}
