import { SignalboxError } from "@signalbox/contracts";
import type { Result } from "@signalbox/contracts/sap";
import { isFinal, mayAskAgain, readSapTask, submissionOf, usesCache } from "@signalbox/core";
import { latestSapResults, type StoredSapTask, takeSapTask } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import { oneAtATime } from "../once/one-at-a-time.ts";
import { beginPipeline, type Outline, outlineFor } from "../orchestrator/submit-task.ts";
import { type Beginning, done } from "../orchestrator/work.ts";
import { record } from "../record.ts";
import type { Asked } from "../system.ts";
import { transact } from "../transaction.ts";
import { answerOf, readStoredResult, refuseOtherTask, type SapAnswer } from "./answer.ts";
import { answerFromCache } from "./answer-from-cache.ts";
import { taskRefused } from "./entries.ts";
import { prepareTask, type SapIntake, sentIdentity } from "./prepare-task.ts";
import { resultAsItStands } from "./result-as-it-stands.ts";

/** By what a task came; all carry the same envelope and meet the same command. */
export type SapDoor = "http" | "mcp" | "redis" | "in-process";

/**
 * Accepts a task of SAP V2.0, or says why not: answered from the cache, or begun as a pipeline (D18). The same task again is
 * answered as it stands now; another one under its id is refused.
 */
export async function submitSapTask(
  engine: Engine,
  asked: Asked,
  value: unknown,
  door: SapDoor,
): Promise<SapAnswer> {
  const { caller, requestId } = asked;
  authorise(caller, "sap.submit", undefined);
  const intake: SapIntake = { caller, requestId, task: readSapTask(value), door };
  try {
    return await accept(engine, asked, intake);
  } catch (error) {
    if (error instanceof SignalboxError) await recordRefusal(engine, intake, error);
    throw error;
  }
}

async function accept(engine: Engine, asked: Asked, intake: SapIntake): Promise<SapAnswer> {
  if (usesCache(intake.task.constitutionalContext)) {
    const outcome = await answerFromCache(engine, intake);
    if (!outcome.ok) throw outcome.error;
    if (outcome.value !== "compute") return outcome.value;
  }
  const name = {
    tenantId: asked.caller.tenantId,
    actorId: "",
    requestKey: `sap ${intake.task.taskId.toLowerCase()}`,
  };
  return oneAtATime(engine.database, name, () => engine.committer.commit(beginningOf(engine, intake)));
}

function beginningOf(engine: Engine, intake: SapIntake): Beginning<SapAnswer> {
  const { caller, requestId, task: sent } = intake;
  const { tenantId } = caller;
  const { seal } = engine.database;
  const key = { tenantId, pipelineId: engine.newId() };
  const traceId = engine.newTraceId();
  let before: { readonly task: StoredSapTask; readonly result: Result } | undefined;
  let outline: Outline | undefined;
  return {
    kind: "beginning",
    key,
    async prepare(tx, { snapshot, redactor }) {
      // A batch may run again, and each time it looks anew.
      before = undefined;
      outline = undefined;
      const found = await takeSapTask(tx, { tenantId, taskId: sent.taskId });
      if (found !== undefined) {
        const [stored] = await latestSapResults(tx, [found]);
        if (stored === undefined) throw new Error(`task ${sent.taskId} is on file without a Result`);
        before = { task: found, result: readStoredResult(stored) };
        return;
      }
      const rule = quietly(() => prepareTask(snapshot.policy, redactor, seal, intake).rule);
      if (rule !== undefined) outline = await outlineFor(engine, tx, tenantId, rule.work);
    },
    begin({ now, snapshot, redactor }) {
      if (before !== undefined) {
        const { task: found, result } = before;
        if (!mayAskAgain(caller, sent.issuer, found.submittedBy))
          prepareTask(snapshot.policy, redactor, seal, intake);
        refuseOtherTask(found, sentIdentity(redactor, seal, intake));
        // What is over is answered whole: nobody has to ask again.
        return done(answerOf(sent, { messageId: requestId, at: now }, result, isFinal(result.status)));
      }
      const { task, rule, row } = prepareTask(snapshot.policy, redactor, seal, intake);
      if (outline === undefined) throw unavailable(rule.work.value);
      const begun = beginPipeline(outline, {
        submission: submissionOf(task, rule, snapshot.policy.sap, now),
        redactor,
        submitter: caller.actor,
        pipelineId: key.pipelineId,
        traceId,
        now,
        policyVersion: snapshot.policy.version,
        onlyPackId: task.target.agentId,
      });
      const { state } = begun.held;
      const result = resultAsItStands({ task, state, facts: [], policy: snapshot.policy, at: now });
      const sap = { row: { ...row, pipelineId: key.pipelineId }, result, state };
      return {
        ...begun,
        task: { ...begun.task, sap },
        value: answerOf(task, { messageId: requestId, at: now }, result, false),
      };
    },
  };
}

const unavailable = (templateId: string) =>
  new SignalboxError("NOT_FOUND", `The task cannot be routed: there is no active template "${templateId}".`);

/** What refuses it is told when it is begun. */
function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}

const onRecord: ReadonlySet<string> = new Set(["FORBIDDEN", "NON_CONSTITUTIONAL"]);

/** Who asked for what they may not, or what the constitution does not bear, is on record; a mistake in a form is not. */
async function recordRefusal(
  engine: Engine,
  { caller, requestId, task }: SapIntake,
  error: SignalboxError,
): Promise<void> {
  if (!onRecord.has(error.code)) return;
  const { tenantId, actor } = caller;
  const { taskId, target } = task;
  await transact(engine, tenantId, (tx) =>
    record(tx, taskRefused({ tenantId, actor, requestId }, taskId, target.capability, error.detail)),
  );
}
