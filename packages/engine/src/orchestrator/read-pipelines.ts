import { AuditEventType, SignalboxError } from "@signalbox/contracts";
import { dispatchIdOf, type PipelineState, type Span, traceTree } from "@signalbox/core";
import {
  findMemberNames,
  findPipeline,
  listDispatchEnds,
  listDispatchesOf,
  listEndedPipelines as listEndedRows,
  listPipelines as listPipelineRows,
  listResultsOf,
  listToolEvents,
  loadPipelines,
  type PipelineFilter,
  type PipelineSummary,
  type StoredPipelineRow,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, readQuery, refuseCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { readState } from "./open-batch.ts";

const cursors = cursorsOf("pipelines");

export type PipelineView = {
  readonly state: PipelineState;
  readonly traceId: string;
  readonly taskTitle: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What the people are called who submitted, paused and ended it, by id; also those who are members no more. */
  readonly names: ReadonlyMap<string, string>;
};

const unknown = (pipelineId: string) =>
  new SignalboxError("NOT_FOUND", `There is no pipeline "${pipelineId.slice(0, 100)}".`);

/**
 * A transaction's statements may each see another commit, and a state put together from two is none: it is whole when the
 * revision that was read first is still there after all else was read.
 */
export async function loadWhole<T>(
  tx: TenantTransaction,
  pipelineId: string,
  more: () => Promise<T>,
): Promise<{ row: StoredPipelineRow; summary: PipelineSummary; found: T }> {
  if (holdsNul(pipelineId)) throw unknown(pipelineId);
  for (;;) {
    const [[row], found, summary] = await Promise.all([
      loadPipelines(tx, [{ tenantId: tx.tenantId, pipelineId }]),
      more(),
      findPipeline(tx, pipelineId),
    ]);
    if (row === undefined || summary === undefined) throw unknown(pipelineId);
    if (row.revision === summary.revision) return { row, summary, found };
  }
}

/** The pipeline as it is, with everything that decides what may be done to it. */
export async function getPipeline(
  system: System,
  { caller }: Asked,
  pipelineId: string,
): Promise<PipelineView> {
  authorise(caller, "pipeline.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const { row, summary } = await loadWhole(tx, pipelineId, () => Promise.resolve());
    const { traceId, taskTitle, createdAt, updatedAt } = summary;
    const state = readState(row);
    return { state, traceId, taskTitle, createdAt, updatedAt, names: await namesOf(tx, state) };
  });
}

async function namesOf(
  tx: TenantTransaction,
  { plan, pause, end }: PipelineState,
): Promise<ReadonlyMap<string, string>> {
  const people = [plan.submitter, pause?.by, end?.by].flatMap((actor) =>
    actor?.type === "human" ? [actor.id] : [],
  );
  if (people.length === 0) return new Map();
  const found = await findMemberNames(tx, [...new Set(people)]);
  return new Map(found.flatMap(({ memberId, name }) => (name === "" ? [] : [[memberId, name]])));
}

export type PipelinePage = {
  readonly pipelines: readonly PipelineSummary[];
  readonly nextCursor: string | undefined;
};

/** The newest first. */
export async function listPipelines(
  system: System,
  { caller }: Asked,
  { cursor, limit: asked, query, ...filter }: PageRequest & Omit<PipelineFilter, "text">,
): Promise<PipelinePage> {
  authorise(caller, "pipeline.read", undefined);
  const limit = readLimit(asked);
  const text = readQuery(query, "q");
  const packId = readQuery(filter.packId, "packId");
  const after = cursor === undefined ? undefined : readPipelineCursor(cursor);
  const { pipelines, next } = await transact(system, caller.tenantId, (tx) =>
    listPipelineRows(tx, { ...filter, packId, text, limit, after }),
  );
  return { pipelines, nextCursor: next && cursors.write([next.createdAt.toISOString(), next.pipelineId]) };
}

/** What came to an end last, the latest first, whenever it was submitted. */
export async function listEndedPipelines(
  system: System,
  { caller }: Asked,
  { limit }: Pick<PageRequest, "limit">,
): Promise<Pick<PipelinePage, "pipelines">> {
  authorise(caller, "pipeline.read", undefined);
  const most = readLimit(limit);
  return { pipelines: await transact(system, caller.tenantId, (tx) => listEndedRows(tx, most)) };
}

function readPipelineCursor(cursor: string): { createdAt: Date; pipelineId: string } {
  const [at = "", pipelineId = ""] = cursors.readMoment(cursor, 2);
  if (holdsNul(pipelineId)) throw refuseCursor();
  return { createdAt: new Date(at), pipelineId };
}

/** TRACE-9, TRACE-12. */
const endings = [AuditEventType.DISPATCH_TIMEOUT, AuditEventType.DISPATCH_CANCELLED];
const MOST_TOOL_EVENTS = 1_000;

/** The trace tree of A2A 5.1: every span with all its correlation fields, the root first. */
export async function readTrace(
  system: System,
  { caller }: Asked,
  pipelineId: string,
): Promise<readonly Span[]> {
  authorise(caller, "trace.read", undefined);
  return transact(system, caller.tenantId, (tx) => traceIn(tx, pipelineId));
}

/** The same in a transaction of the tenant, for whoever may read it. */
export async function traceIn(tx: TenantTransaction, pipelineId: string): Promise<readonly Span[]> {
  const { row, summary, found } = await loadWhole(tx, pipelineId, () =>
    Promise.all([
      listDispatchesOf(tx, pipelineId),
      listResultsOf(tx, pipelineId),
      listDispatchEnds(tx, pipelineId, endings),
      listToolEvents(tx, pipelineId, MOST_TOOL_EVENTS),
    ]),
  );
  const [dispatches, results, ends, toolEvents] = found;
  const state = readState(row);
  const orders = new Map(state.plan.stages.map(({ stageId }, stageOrder) => [stageId, stageOrder]));
  return traceTree({
    tenantId: tx.tenantId,
    traceId: summary.traceId,
    state,
    toolEvents,
    ends: ends.map(({ stageId, attemptNumber, endedAt, why }) => ({
      stageOrder: orders.get(stageId) ?? -1,
      attemptNumber,
      endedAt,
      why,
    })),
    dispatches: dispatches.map(({ spans, sentAt, ...dispatch }) => ({
      stageOrder: dispatch.stageOrder,
      attemptNumber: dispatch.attemptNumber,
      packId: dispatch.packId,
      instanceId: dispatch.instanceId,
      dispatchId: dispatchIdOf(dispatch),
      sentAt: sentAt.getTime(),
      spans: JSON.parse(spans) as unknown,
    })),
    results: results.map(({ stageOrder, attemptNumber, receivedAt, spans }) => ({
      stageOrder,
      attemptNumber,
      receivedAt: receivedAt.getTime(),
      spans: JSON.parse(spans) as unknown,
    })),
  });
}
