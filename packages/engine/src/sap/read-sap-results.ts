import { SignalboxError } from "@signalbox/contracts";
import type { Result, Task } from "@signalbox/contracts/sap";
import { UuidSchema } from "@signalbox/contracts/sap";
import {
  findSapTasks,
  latestSapResults,
  sapResultsOf,
  type StoredSapTask,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { readStoredResult, readStoredTask } from "./answer.ts";

/** SAP V2.0 §10: what was asked and what was answered, with the digests that stand on the audit record. */
export type SapTranscript = {
  readonly task: Task;
  readonly digest: string;
  readonly pipelineId: string | null;
  readonly results: readonly {
    readonly result: Result;
    readonly digest: string;
    readonly recordedAt: Date;
  }[];
};

const MOST_RESULTS = 1_000;

const unknownTask = (taskId: string) =>
  new SignalboxError("NOT_FOUND", `There is no SAP task "${taskId.slice(0, 100)}".`);

/** The Result as it stands: of a task that is not over, how far it is. */
export async function readSapResult(system: System, asked: Asked, taskId: string): Promise<Result> {
  const { caller } = asked;
  authorise(caller, "sap.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const task = await requireSapTask(tx, asked, taskId);
    const [stored] = await latestSapResults(tx, [task]);
    if (stored === undefined) throw new Error(`task ${taskId} is on file without a Result`);
    return readStoredResult(stored);
  });
}

export async function readSapTranscript(
  system: System,
  asked: Asked,
  taskId: string,
): Promise<SapTranscript> {
  const { caller } = asked;
  authorise(caller, "sap.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const task = await requireSapTask(tx, asked, taskId);
    const results = await sapResultsOf(tx, task, MOST_RESULTS);
    return {
      task: readStoredTask(task),
      digest: task.digest,
      pipelineId: task.pipelineId,
      results: results.map((one) => ({
        result: readStoredResult(one),
        digest: one.digest,
        recordedAt: new Date(one.recordedAt),
      })),
    };
  });
}

/** An agent sees what it submitted, and nobody else's: to it those are not there. */
export async function requireSapTask(
  tx: TenantTransaction,
  { caller }: Asked,
  taskId: string,
): Promise<StoredSapTask> {
  if (!UuidSchema.safeParse(taskId).success) throw unknownTask(taskId);
  const [found] = await findSapTasks(tx, [{ tenantId: tx.tenantId, taskId }]);
  if (found === undefined || (caller.role === "agent" && found.submittedBy !== caller.actor.id))
    throw unknownTask(taskId);
  return found;
}
