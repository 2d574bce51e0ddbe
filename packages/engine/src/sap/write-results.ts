import type { AuditEntry } from "@signalbox/contracts";
import type { Result, Task } from "@signalbox/contracts/sap";
import {
  type AuditFact,
  becomesRecord,
  canonicalJson,
  EVIDENCE_EVENT_TYPES,
  factOf,
  isFinal,
  isSapSource,
  isWhole,
  type Making,
  noPolicy,
  type RoutingPolicy,
  sapStandingMoved,
} from "@signalbox/core";
import {
  auditPayloadsOf,
  findSapTasksOfPipelines,
  insertSapCacheRecords,
  insertSapResults,
  insertSapSignals,
  insertSapTasks,
  type NewEvent,
  type NewSapCacheRecord,
  type NewSapSignal,
  type StoredSapTask,
} from "@signalbox/db";
import type { DocumentCache } from "../documents/document-cache.ts";
import { type AcceptedSapTask, type Draft, keyText } from "../orchestrator/draft.ts";
import { aroundOf, type Batch } from "../orchestrator/open-batch.ts";
import { recordBatch } from "../record.ts";
import { eventRow } from "../stream/tell.ts";
import { readStoredTask } from "./answer.ts";
import { cacheRecordOf } from "./cache-record.ts";
import { resultTold, taskAccepted } from "./entries.ts";
import { outcomeSignalRow } from "./learning/signal-rows.ts";
import { sha256 } from "./prepare-task.ts";
import { resultAsItStands } from "./result-as-it-stands.ts";

type Told = {
  readonly draft: Draft;
  readonly policy: RoutingPolicy;
  readonly stored: StoredSapTask;
  readonly task: Task;
  readonly result: Result;
  readonly digest: string;
  readonly made: Making;
  /** What it leaves for others who ask the same. */
  readonly record: NewSapCacheRecord | undefined;
  /** Of the pipeline, when it stood so. */
  readonly revision: number;
};

/**
 * SAP V2.0 §5, §6: each change of a task's status is a Result on file, and a VALID success a record of the cache, in the
 * transaction that decided it. Gives what readers of the stream are told.
 */
export async function writeSapResults(
  batch: Batch,
  documents: DocumentCache,
  drafts: readonly Draft[],
): Promise<NewEvent[]> {
  const moved = drafts.filter(hasMoved);
  if (moved.length === 0) return [];
  const { tx } = batch;
  const later = moved.flatMap(({ created, key }) => (created === undefined ? key : []));
  const [tasks, payloads, policies] = await Promise.all([
    findSapTasksOfPipelines(tx, later),
    auditPayloadsOf(tx, later, EVIDENCE_EVENT_TYPES),
    judgingPolicies(batch, documents, moved),
  ]);
  const known = new Map(tasks.map((one) => [keyText(one), one]));
  const facts = Map.groupBy(payloads, keyText);
  const told = moved.flatMap((draft): Told[] => {
    const created = draft.created?.sap;
    // Whoever names a pipeline's task as SAP's are named has no task on file, and so no Result.
    const stored = created === undefined ? known.get(keyText(draft.key)) : created.row;
    if (stored === undefined) return [];
    const earlier = (facts.get(keyText(draft.key)) ?? []).map(({ payload }) => factOf(JSON.parse(payload)));
    const policy = policies.get(policyName(batch, draft));
    if (policy === undefined)
      throw new Error(`the policy that judges ${draft.key.pipelineId} was not loaded`);
    const of = { draft, policy, stored: { ...stored, pipelineId: draft.key.pipelineId } };
    if (created === undefined) return [tell(batch, of, earlier)];
    // Begun and sent, or stopped, in one batch: both are told, in the order of §5.
    const goesOn = sapStandingMoved(created.state, draft.state);
    return [toldFirst(of, created), ...(goesOn ? [tell(batch, of, earlier)] : [])];
  });
  const accepted = moved.flatMap(({ created }) => created?.sap?.row ?? []);
  const [kept] = await Promise.all([
    insertSapTasks(tx, accepted),
    insertSapResults(tx, told.map(resultRow)),
    insertSapCacheRecords(
      tx,
      told.flatMap(({ record }) => record ?? []),
    ),
    recordBatch(tx, told.flatMap(entriesOf)),
    insertSapSignals(tx, told.flatMap(signalOf)),
  ]);
  if (kept.length < accepted.length) throw new Error("a task that was taken was kept by somebody else");
  return told.map(({ draft: { key }, revision, result: { taskId, correlationId, status } }) =>
    eventRow(key.tenantId, {
      kind: "sap.reported",
      pipelineId: key.pipelineId,
      data: { taskId, correlationId, status, revision },
    }),
  );
}

const hasMoved = ({ before, state }: Draft): boolean =>
  isSapSource(state.plan.sourceTaskId) && (before === undefined || sapStandingMoved(before, state));

const policyName = (batch: Batch, { key, state: { plan } }: Draft): string =>
  JSON.stringify([key.tenantId, plan.policyVersion ?? aroundOf(batch, key).snapshot.policy.version]);

/** SAP-35: a task is judged by the policy that accepted it, whatever was published since. */
async function judgingPolicies(
  batch: Batch,
  documents: DocumentCache,
  moved: readonly Draft[],
): Promise<ReadonlyMap<string, RoutingPolicy>> {
  const found = new Map<string, RoutingPolicy>();
  for (const draft of moved) {
    const name = policyName(batch, draft);
    if (found.has(name)) continue;
    const { tenantId } = draft.key;
    const { policy } = aroundOf(batch, draft.key).snapshot;
    const version = draft.state.plan.policyVersion ?? policy.version;
    if (version === policy.version) found.set(name, policy);
    else if (version === noPolicy.version) found.set(name, noPolicy);
    else found.set(name, (await documents.load(batch.tx, tenantId, "routing-policy", version)).policy);
  }
  return found;
}

type Of = Pick<Told, "draft" | "policy" | "stored">;

function tell(batch: Batch, of: Of, earlier: readonly AuditFact[]): Told {
  const { key, state, facts } = of.draft;
  const task = readStoredTask(of.stored);
  const at = aroundOf(batch, key).now;
  const result = resultAsItStands({ task, state, facts: [...earlier, ...facts], policy: of.policy, at });
  return toldOf(of, { task, result, state });
}

const toldFirst = (of: Of, { result, state }: AcceptedSapTask): Told =>
  toldOf(of, { task: readStoredTask(of.stored), result, state });

const toldOf = (
  of: Of,
  { task, result, state }: Pick<Told, "task" | "result"> & Pick<Draft, "state">,
): Told => {
  const made = { masked: of.stored.masked, whole: isWhole(state) };
  const keeps = becomesRecord(result, task.constitutionalContext, made);
  return {
    ...of,
    task,
    result,
    digest: sha256(canonicalJson(result)),
    made,
    record: keeps ? cacheRecordOf(task, of.stored, result) : undefined,
    revision: state.revision,
  };
};

/** SAP V2.0 §7: what is learnt from, once the task is over. */
function signalOf({ policy, stored, task, result, made }: Told): NewSapSignal[] {
  if (!isFinal(result.status)) return [];
  return [outcomeSignalRow(policy, stored, task, result, made)];
}

const resultRow = ({ draft: { key }, revision, stored, result, digest }: Told) => ({
  tenantId: key.tenantId,
  taskId: stored.taskId,
  revision,
  status: result.status,
  digest,
  result: JSON.stringify(result),
});

/** Under the pipeline's trace, so that they are found with it; and no facts of its own, from which its state is folded. */
function entriesOf({
  draft: { key, traceId, created, state },
  revision,
  result,
  digest,
  record,
}: Told): AuditEntry[] {
  const { tenantId } = key;
  const context = { tenantId, requestId: traceId };
  const { submitter } = state.plan;
  const accepted = created?.sap;
  if (accepted?.state.revision === revision)
    return [taskAccepted({ ...context, actor: submitter }, accepted.row, { result, digest })];
  return [resultTold(context, result, digest, record)];
}
