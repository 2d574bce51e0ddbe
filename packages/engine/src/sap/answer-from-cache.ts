import type { Result } from "@signalbox/contracts/sap";
import { canonicalJson, isFinal, mayAskAgain, refuseLateSapTask, SAP_VERSION } from "@signalbox/core";
import {
  type BatchTransaction,
  type Database,
  earlierSapCacheRecords,
  findSapTasks,
  insertSapAnswers,
  latestSapResults,
  newestSapCacheRecords,
  type Seal,
  transactionTime,
} from "@signalbox/db";
import type { AuditEntry } from "@signalbox/contracts";
import type { PolicyInForce } from "../documents/document-cache.ts";
import type { Engine } from "../engine.ts";
import { type Outcome } from "../orchestrator/work.ts";
import { recordBatch } from "../record.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import { reach } from "../transaction.ts";
import { answerOf, readStoredResult, refuseOtherTask, type SapAnswer } from "./answer.ts";
import { taskAnsweredAtOnce } from "./entries.ts";
import { cacheSignalRows } from "./learning/signal-rows.ts";
import { type PolicyMemory, rememberPolicies } from "./policy-memory.ts";
import { type PreparedTask, prepareTask, type SapIntake, sentIdentity, sha256 } from "./prepare-task.ts";
import { refusing } from "./refusing.ts";
import {
  type Judged,
  judgeEarlier,
  judgeRecords,
  mayFitEarlier,
  type PreparedUnder,
  resultFromCache,
} from "./result-from-cache.ts";

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
  const memory = rememberPolicies(engine.documents);
  const answerer: Answerer = groupCommit({
    write: (intakes) => reach(engine, () => answerTogether(engine, memory, intakes)),
    most: MOST_IN_ONE_COMMIT,
    bound: MOST_WAITING,
  });
  answerers.set(engine.database, answerer);
  return answerer.submit(intake);
}

/** A task is on file, of long ago or of this moment: nothing of the transaction is kept, and the next one finds it. */
const overtaken = new Error("a task that was to be answered anew is on file");

async function answerTogether(
  engine: Engine,
  memory: PolicyMemory,
  intakes: readonly SapIntake[],
): Promise<Outcome<FromCache>[]> {
  const { seal } = engine.database;
  const tenantIds = [...new Set(intakes.map(({ caller }) => caller.tenantId))];
  // Most tasks are new: that one is not is found when it is written, and then all of them are looked for.
  for (let lookFor: readonly SapIntake[] = []; ; lookFor = intakes) {
    try {
      return await engine.database.inTenants(tenantIds, (tx) =>
        answerAll(tx, seal, memory, intakes, lookFor),
      );
    } catch (error) {
      if (error !== overtaken) throw error;
    }
  }
}

const nameOf = (tenantId: string, taskId: string): string => `${tenantId}/${taskId.toLowerCase()}`;
const keyOfTask = ({ caller: { tenantId }, task: { taskId } }: SapIntake) => ({ tenantId, taskId });
const keyOf = ({ tenantId, cacheKey }: { tenantId: string; cacheKey: string }): string =>
  `${tenantId}/${cacheKey}`;

/**
 * Two round trips where the policy is the one of the last time: what is known of them all, and what is written. Records that
 * do not align cost a third, for those that stand behind them, and one more for each sixteen keys; tasks that are refused one,
 * to see whether they are on file.
 */
async function answerAll(
  tx: BatchTransaction,
  seal: Seal,
  memory: PolicyMemory,
  intakes: readonly SapIntake[],
  lookFor: readonly SapIntake[],
): Promise<Outcome<FromCache>[]> {
  const guessed = intakes.map((intake) => {
    const inForce = memory.guess(intake.caller.tenantId);
    return inForce && preparedUnder(inForce, seal, intake);
  });
  const [now, policies, tasks, foreseen] = await Promise.all([
    transactionTime(tx),
    memory.read(tx),
    findSapTasks(tx, lookFor.map(keyOfTask)),
    newestSapCacheRecords(tx, cacheKeysOf(guessed)),
  ]);
  const prepared = intakes.map((intake, index) => {
    const inForce = requirePolicy(policies, intake.caller.tenantId);
    const earlier = guessed[index];
    return earlier?.under === inForce ? earlier : preparedUnder(inForce, seal, intake);
  });
  // Whether something is cached makes a task no less late.
  const timely = intakes.map(({ task }) => refusing(() => refuseLateSapTask(task, now)));
  // Who is refused now may ask for what was accepted in its time; nothing of theirs is written, so that this looks.
  const refused =
    lookFor.length > 0
      ? []
      : intakes.filter((_, index) => !(prepared[index]?.outcome.ok === true && timely[index]?.ok === true));
  const known = [...tasks, ...(await findSapTasks(tx, refused.map(keyOfTask)))];
  const changed = prepared.filter((one, index) => one !== guessed[index]);
  const [results, unforeseen] = await Promise.all([
    latestSapResults(tx, known),
    newestSapCacheRecords(tx, cacheKeysOf(changed)),
  ]);
  const onFile = new Map(known.map((one) => [nameOf(one.tenantId, one.taskId), one]));
  const told = new Map(results.map((one) => [nameOf(one.tenantId, one.taskId), readStoredResult(one)]));
  const newest = Map.groupBy([...foreseen, ...unforeseen], keyOf);
  const judged = prepared.map(({ outcome: one }) =>
    one.ok ? judgeRecords(one.value, newest.get(keyOf(one.value.row)), now) : undefined,
  );
  await lookBehind(tx, prepared, judged, now);
  const writing: Written[] = [];
  const outcomes = prepared.map(({ outcome: one }, index) => {
    const intake = intakes[index];
    if (intake === undefined) return refusing(() => "compute" as const);
    return refusing((): FromCache => {
      const { caller, task: sent } = intake;
      const name = nameOf(caller.tenantId, sent.taskId);
      const found = onFile.get(name);
      const said = { messageId: intake.requestId, at: now };
      if (found !== undefined && (one.ok || mayAskAgain(caller, sent.issuer, found.submittedBy))) {
        const { redactor } = requirePolicy(policies, caller.tenantId);
        refuseOtherTask(found, sentIdentity(redactor, seal, intake));
        const result = told.get(name);
        return result === undefined ? "compute" : answerOf(sent, said, result, isFinal(result.status));
      }
      if (!one.ok) throw one.error;
      const inTime = timely[index];
      if (inTime?.ok === false) throw inTime.error;
      const decided = judged[index];
      const result = decided && resultFromCache(one.value, decided, now);
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

/** SAP-48: seven records of a key, each with its whole output, which may be a megabyte. */
const KEYS_LOOKED_BEHIND_AT_ONCE = 16;

/** What stands behind a record that does not align is judged in its place. */
async function lookBehind(
  tx: BatchTransaction,
  prepared: readonly Prepared[],
  judged: (Judged | undefined)[],
  now: number,
): Promise<void> {
  const unfit = judged.flatMap((one, index) => (one !== undefined && mayFitEarlier(one) ? [index] : []));
  for (let at = 0; at < unfit.length; at += KEYS_LOOKED_BEHIND_AT_ONCE) {
    const some = unfit.slice(at, at + KEYS_LOOKED_BEHIND_AT_ONCE);
    const keys = cacheKeysOf(some.map((index) => prepared[index]));
    const earlier = Map.groupBy(await earlierSapCacheRecords(tx, keys), keyOf);
    for (const index of some) {
      const one = prepared[index]?.outcome;
      const newest = judged[index];
      if (one?.ok !== true || newest === undefined) continue;
      judged[index] = judgeEarlier(one.value, newest, earlier.get(keyOf(one.value.row)), now);
    }
  }
}

type Prepared = {
  /** The policy that it was prepared under. */
  readonly under: PolicyInForce;
  readonly outcome: Outcome<PreparedUnder>;
};

const preparedUnder = (under: PolicyInForce, seal: Seal, intake: SapIntake): Prepared => ({
  under,
  outcome: refusing(() => ({
    ...under,
    ...prepareTask(under.policy, under.redactor, seal, intake),
  })),
});

/** Many may ask for the same at once, and it is read once. */
function cacheKeysOf(prepared: readonly (Prepared | undefined)[]) {
  const rows = prepared.flatMap((one) => (one?.outcome.ok === true ? [one.outcome.value.row] : []));
  return [
    ...new Map(
      rows.map((row) => {
        const { tenantId, cacheKey } = row;
        return [keyOf(row), { tenantId, cacheKey, sapVersion: SAP_VERSION }];
      }),
    ).values(),
  ];
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
    insertSapAnswers(tx, {
      tasks: writing.map(({ prepared }) => prepared.row),
      results: writing.map(({ prepared: { row }, result, digest }) => ({
        tenantId: row.tenantId,
        taskId: row.taskId,
        revision: 0,
        status: result.status,
        digest,
        result: JSON.stringify(result),
      })),
      signals: cacheSignalRows(writing),
    }),
    recordBatch(
      tx,
      writing.map(({ entry }) => entry),
    ),
  ]);
  if (kept.length < writing.length) throw overtaken;
}

function requirePolicy(policies: ReadonlyMap<string, PolicyInForce>, tenantId: string): PolicyInForce {
  const found = policies.get(tenantId);
  // A policy that is not known must not be taken for none (D21).
  if (found === undefined) throw new Error(`the policy of tenant ${tenantId} was not loaded`);
  return found;
}
