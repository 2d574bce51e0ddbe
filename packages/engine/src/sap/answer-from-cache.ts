import type { Result } from "@signalbox/contracts/sap";
import { canonicalJson, judgeCache, plainResult, type RoutingPolicy, SAP_VERSION } from "@signalbox/core";
import {
  type BatchTransaction,
  type Database,
  findSapTasks,
  insertSapResults,
  insertSapTasks,
  latestSapResults,
  newestSapCacheRecords,
  readRegistryChanges,
  type StoredSapCacheRecord,
  transactionTime,
} from "@signalbox/db";
import type { AuditEntry } from "@signalbox/contracts";
import { type PolicyInForce, withoutPolicy } from "../documents/document-cache.ts";
import type { Engine } from "../engine.ts";
import { type Outcome } from "../orchestrator/work.ts";
import { recordBatch } from "../record.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import { reach } from "../transaction.ts";
import { answerOf, readStoredResult, refuseOtherTask, type SapAnswer } from "./answer.ts";
import { readCacheRecord } from "./cache-record.ts";
import { taskAnsweredAtOnce } from "./entries.ts";
import { type PreparedTask, prepareTask, type SapIntake, sha256 } from "./prepare-task.ts";
import { refusing } from "./refusing.ts";

const MOST_IN_ONE_COMMIT = 200;
const MOST_WAITING = 20_000;

/** The answer; or that it has to be worked out. */
type FromCache = SapAnswer | "compute";
type Answerer = GroupCommit<SapIntake, Outcome<FromCache>>;
const answerers = new WeakMap<Database, Answerer>();

/** SAP V2.0 §6: what the cache, or an earlier asking of the same task, has to say. Costs no dispatch, and no lock. */
export function answerFromCache(engine: Engine, intake: SapIntake): Promise<Outcome<FromCache>> {
  const known = answerers.get(engine.database);
  if (known !== undefined) return known.submit(intake);
  const answerer: Answerer = groupCommit({
    write: (intakes) => reach(engine, () => answerTogether(engine, intakes)),
    most: MOST_IN_ONE_COMMIT,
    bound: MOST_WAITING,
  });
  answerers.set(engine.database, answerer);
  return answerer.submit(intake);
}

/** Another node was given the same task at the same moment: nothing of the transaction is kept, and the next finds it. */
const overtaken = new Error("a task that was not on file was kept by somebody else meanwhile");

async function answerTogether(engine: Engine, intakes: readonly SapIntake[]): Promise<Outcome<FromCache>[]> {
  for (;;) {
    try {
      const tenantIds = [...new Set(intakes.map(({ caller }) => caller.tenantId))];
      return await engine.database.inTenants(tenantIds, (tx) => answerAll(engine, tx, intakes));
    } catch (error) {
      if (error !== overtaken) throw error;
    }
  }
}

const nameOf = (tenantId: string, taskId: string): string => `${tenantId}/${taskId.toLowerCase()}`;
const keyOf = ({ row }: PreparedTask): string => `${row.tenantId}/${row.cacheKey}`;

async function answerAll(
  engine: Engine,
  tx: BatchTransaction,
  intakes: readonly SapIntake[],
): Promise<Outcome<FromCache>[]> {
  const [now, policies] = await Promise.all([transactionTime(tx), policiesInForce(engine, tx)]);
  const prepared = intakes.map((intake) =>
    refusing(() => {
      const { policy, redactor } = requirePolicy(policies, intake.caller.tenantId);
      return { policy, ...prepareTask(policy, redactor, intake) };
    }),
  );
  const known = prepared.flatMap((one) => (one.ok ? one.value : []));
  const keys = known.map(({ row: { tenantId, taskId } }) => ({ tenantId, taskId }));
  const [tasks, results, records] = await Promise.all([
    findSapTasks(tx, keys),
    latestSapResults(tx, keys),
    newestSapCacheRecords(
      tx,
      known.map(({ row: { tenantId, cacheKey } }) => ({ tenantId, cacheKey, sapVersion: SAP_VERSION })),
    ),
  ]);
  const onFile = new Map(tasks.map((one) => [nameOf(one.tenantId, one.taskId), one]));
  const told = new Map(results.map((one) => [nameOf(one.tenantId, one.taskId), readStoredResult(one)]));
  const cached = new Map(records.map((one) => [`${one.tenantId}/${one.cacheKey}`, one]));
  const writing: Written[] = [];
  const outcomes = prepared.map((one, index) => {
    const intake = intakes[index];
    if (!one.ok || intake === undefined) return one.ok ? refusing(() => "compute" as const) : one;
    return refusing((): FromCache => {
      const name = nameOf(one.value.row.tenantId, one.value.row.taskId);
      const found = onFile.get(name);
      const said = { messageId: intake.requestId, at: now };
      if (found !== undefined) {
        refuseOtherTask(found, one.value.row.digest);
        const result = told.get(name);
        return result === undefined
          ? "compute"
          : answerOf(one.value.task, said, result, found.pipelineId === null);
      }
      const result = judged(one.value, cached.get(keyOf(one.value)), now);
      if (result === undefined) return "compute";
      const { row } = one.value;
      writing.push(writtenOf(intake, one.value, result));
      onFile.set(name, { ...row, pipelineId: null });
      told.set(name, result);
      return answerOf(one.value.task, said, result, true);
    });
  });
  await write(tx, writing);
  return outcomes;
}

type Known = PreparedTask & { readonly policy: RoutingPolicy };

/** The Result that the cache gives; undefined where it has to be worked out. */
function judged(
  { task, rule, row, policy }: Known,
  stored: StoredSapCacheRecord | undefined,
  now: number,
): Result | undefined {
  const record = stored === undefined || row.masked ? undefined : readCacheRecord(stored);
  const { constitutionalContext: context } = task;
  const decision = judgeCache(context, rule, policy.sap?.principles ?? [], record?.facts, now);
  if (decision.kind === "compute") return undefined;
  const pressure = context.pressure === undefined ? {} : { pressureReadings: context.pressure };
  if (decision.kind === "miss" || record === undefined) {
    return plainResult(task, now, {
      status: "FAILED",
      constitutionalEvidence: {
        alignment: "VALID",
        ...pressure,
        cache: { hit: false, cacheKey: row.cacheKey },
      },
      error: {
        code: "CACHE_MISS",
        message: `The task is to be answered from the cache only: ${decision.kind === "miss" ? decision.why : "nothing fits"}.`,
      },
    });
  }
  return plainResult(task, now, {
    status: "SUCCEEDED",
    producer: record.producer,
    output: record.output,
    constitutionalEvidence: {
      alignment: record.facts.alignment,
      ...pressure,
      policyChecks: [...record.policyChecks],
      citations: [...record.citations],
      cache: { hit: true, cacheKey: row.cacheKey, ageSec: decision.ageSec },
    },
    metrics: { latencyMs: 0, attempts: 0 },
  });
}

type Written = {
  readonly prepared: PreparedTask;
  readonly result: Result;
  readonly digest: string;
  readonly entry: AuditEntry;
};

function writtenOf(
  { caller: { tenantId, actor }, requestId }: SapIntake,
  prepared: PreparedTask,
  result: Result,
): Written {
  const digest = sha256(canonicalJson(result));
  const context = { tenantId, actor, requestId };
  return {
    prepared,
    result,
    digest,
    entry: taskAnsweredAtOnce(context, prepared.row, result, digest),
  };
}

async function write(tx: BatchTransaction, writing: readonly Written[]): Promise<void> {
  if (writing.length === 0) return;
  const [kept] = await Promise.all([
    insertSapTasks(
      tx,
      writing.map(({ prepared }) => prepared.row),
    ),
    insertSapResults(
      tx,
      writing.map(({ prepared: { row }, result, digest }) => ({
        tenantId: row.tenantId,
        taskId: row.taskId,
        revision: 0,
        status: result.status,
        digest,
        result: JSON.stringify(result),
      })),
    ),
    recordBatch(
      tx,
      writing.map(({ entry }) => entry),
    ),
  ]);
  if (kept.length < writing.length) throw overtaken;
}

/** What is asked of the registry here is its policy alone: no instance has a part in what the cache says. */
async function policiesInForce(
  { documents }: Pick<Engine, "documents">,
  tx: BatchTransaction,
): Promise<ReadonlyMap<string, PolicyInForce>> {
  const tenants = await readRegistryChanges(tx, tx.tenantIds);
  const found = tenants.map(async ({ tenantId, policyVersion }) => {
    const inForce =
      policyVersion === null
        ? withoutPolicy
        : await documents.load(tx, tenantId, "routing-policy", policyVersion);
    return [tenantId, inForce] as const;
  });
  return new Map(await Promise.all(found));
}

function requirePolicy(policies: ReadonlyMap<string, PolicyInForce>, tenantId: string): PolicyInForce {
  const found = policies.get(tenantId);
  // A policy that is not known must not be taken for none (D21).
  if (found === undefined) throw new Error(`the policy of tenant ${tenantId} was not loaded`);
  return found;
}
