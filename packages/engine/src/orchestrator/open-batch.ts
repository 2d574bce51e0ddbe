import { fromJsonString } from "@bufbuild/protobuf";
import { type SignalboxError, TaskSubmissionSchema } from "@signalbox/contracts";
import {
  assembleState,
  type InstanceRef,
  type PipelineState,
  readUsedTools,
  type ReportedWork,
  taskOf,
} from "@signalbox/core";
import {
  type BatchTransaction,
  countWaitingStages,
  type DispatchKey,
  findReportedWork,
  type InstanceKey,
  loadPipelines,
  lockPipelines,
  type StoredPipelineRow,
} from "@signalbox/db";
import type { TransactionCounts } from "../registry/open-counts.ts";
import { openBatchRegistry } from "./batch-registry.ts";
import { type Draft, type HeldPipeline, keyText, openDraft, type PipelineKey } from "./draft.ts";
import type { Orchestrator } from "./orchestrator.ts";
import type { Step } from "./step.ts";
import type { Change, Surroundings, Work } from "./work.ts";

/** A batch whose pipelines are locked and known. */
export type Batch = {
  readonly tx: BatchTransaction;
  /** The database's, once its pipelines were locked. */
  readonly now: number;
  /** When its transaction began, by the same clock: what its rows say of themselves. */
  readonly began: number;
  /** By `keyText`; begun pipelines join as they are begun. */
  readonly drafts: Map<string, Draft>;
  /** What agents told of the attempts that are judged, by their dispatch. */
  readonly reported: Map<string, ReportedWork>;
  /** Works whose texts could not be masked: nothing of them is written but that (D21). */
  readonly blocked: { readonly key: PipelineKey; readonly error: SignalboxError }[];
  /** Instances that it quarantined (D7). */
  readonly quarantined: InstanceKey[];
  readonly registries: ReadonlyMap<string, OfTenant>;
};

type OfTenant = Pick<Step, "registry" | "redactor" | "reportedOn"> & Pick<Surroundings, "onProbation">;

export async function openBatch(
  orchestrator: Orchestrator,
  tx: BatchTransaction,
  works: readonly Work[],
  drafts: Map<string, Draft>,
  counts: TransactionCounts,
): Promise<Batch> {
  const changes = works.filter((work) => work.kind === "change");
  const keys = [...new Map(changes.map(({ key }) => [keyText(key), key])).values()];
  // A command waits for a pipeline that somebody else is at work on; a batch of sweeps only passes over it.
  const skipLocked = changes.every(({ way }) => way === "sweep");
  const { now, began, locked } = await lockPipelines(tx, keys, { skipLocked });
  const [held] = await Promise.all([
    hold(orchestrator, tx, locked),
    orchestrator.registries.current(tx, tx.tenantIds, now),
    countUnknownQueues(orchestrator, tx),
  ]);
  for (const [key, pipeline] of held) drafts.set(keyText(key), openDraft(key, pipeline));
  const reported = new Map<string, ReportedWork>();
  const reportedOn = (at: DispatchKey) => (reported.size === 0 ? undefined : reported.get(dispatchText(at)));
  const registries = new Map(
    tx.tenantIds.map((tenantId) => {
      const registry = openBatchRegistry(tenantId, orchestrator.registries, counts, orchestrator.depths);
      const redactor = orchestrator.registries.redactor(tenantId);
      const onProbation = (ref: InstanceRef) => registry.onProbation(ref);
      return [tenantId, { registry, redactor, reportedOn, onProbation }];
    }),
  );
  const batch: Batch = { tx, now, began, drafts, registries, reported, blocked: [], quarantined: [] };
  await Promise.all([
    readReported(batch, changes),
    ...works.flatMap((work) => {
      if (work.prepare === undefined) return [];
      const known = work.kind === "beginning" || drafts.has(keyText(work.key));
      return known ? work.prepare(tx, aroundOf(batch, work.key)) : [];
    }),
  ]);
  return batch;
}

/** Under the pipelines' locks. Few tasks have anything that is held against it, and of the others nothing is asked. */
async function readReported({ tx, drafts, reported }: Batch, changes: readonly Change[]): Promise<void> {
  const keys = changes.flatMap(({ key, judges }) => {
    const draft = drafts.get(keyText(key));
    return (draft && judges?.(draft)) ?? [];
  });
  for (const { turns, calls, used, ...at } of await findReportedWork(tx, keys))
    reported.set(dispatchText(at), { turns, calls, used: readUsedTools(used) });
}

const dispatchText = (at: DispatchKey): string => `${keyText(at)}/${at.stageOrder}/${at.attemptNumber}`;

export function aroundOf({ registries, now, began }: Batch, { tenantId }: PipelineKey) {
  const found = registries.get(tenantId);
  if (found === undefined) throw new Error(`tenant ${tenantId} is not of this batch`);
  const { registry, redactor, reportedOn, onProbation } = found;
  return { now, began, redactor, registry, reportedOn, snapshot: registry.snapshot(), onProbation };
}

async function countUnknownQueues({ depths }: Orchestrator, tx: BatchTransaction): Promise<void> {
  const unknown = tx.tenantIds.filter((tenantId) => !depths.knows(tenantId));
  if (unknown.length === 0) return;
  const counted = await countWaitingStages(tx, unknown);
  for (const tenantId of unknown) {
    const own = counted.filter((one) => one.tenantId === tenantId);
    depths.set(tenantId, new Map(own.map(({ taskType, waiting }) => [taskType, waiting])));
  }
}

/** What this process wrote last it still has; the rest, other nodes' work and its own of long ago, is loaded. */
async function hold(
  orchestrator: Orchestrator,
  tx: BatchTransaction,
  locked: readonly (PipelineKey & { revision: number })[],
): Promise<(readonly [PipelineKey, HeldPipeline])[]> {
  const { cache } = orchestrator;
  const found = locked.map((row) => {
    const key = { tenantId: row.tenantId, pipelineId: row.pipelineId };
    return [key, cache.find(key, row.revision)] as const;
  });
  const missing = found.flatMap(([key, pipeline]) => (pipeline === undefined ? key : []));
  const loaded = missing.length === 0 ? [] : await loadPipelines(tx, missing);
  return [
    ...found.flatMap(([key, pipeline]) => (pipeline === undefined ? [] : [[key, pipeline] as const])),
    ...(await Promise.all(
      loaded.map(async (row) => {
        const key = { tenantId: row.tenantId, pipelineId: row.pipelineId };
        return [key, await readPipeline(orchestrator, tx, row)] as const;
      }),
    )),
  ];
}

async function readPipeline(
  { templates }: Orchestrator,
  tx: BatchTransaction,
  row: StoredPipelineRow,
): Promise<HeldPipeline> {
  const state = readState(row);
  const { templateId, templateVersion } = state.plan;
  const stages =
    templateId === ""
      ? []
      : (await templates.pinned(tx, row.tenantId, { version: templateVersion, templateId })).stages;
  const configs = new Map(stages.map(({ stageId, config }) => [stageId, config]));
  return {
    state,
    traceId: row.traceId,
    task: taskOf(
      fromJsonString(TaskSubmissionSchema, row.task, { ignoreUnknownFields: true }),
      state.plan.stages.map(({ stageId }) => configs.get(stageId)),
    ),
  };
}

export const readState = (row: StoredPipelineRow): PipelineState =>
  assembleState({
    plan: JSON.parse(row.plan),
    state: JSON.parse(row.state),
    revision: row.revision,
    stages: row.stages.map(({ stageOrder, state }) => ({ stageOrder, state: JSON.parse(state) as unknown })),
    escalations: row.escalations.map((escalation) => JSON.parse(escalation) as unknown),
  });
