import { SignalboxError } from "@signalbox/contracts";
import {
  expectsAck,
  type Result,
  ResultSchema,
  type ResultStatus,
  type Task,
  TaskSchema,
} from "@signalbox/contracts/sap";
import { isSameTask, secondsTime, type SentIdentity } from "@signalbox/core";
import type { StoredSapResult, StoredSapTask } from "@signalbox/db";

/** SAP V2.0 §4.3: the envelope was accepted. */
export type SapAck = {
  readonly messageId: string;
  readonly taskId: string;
  readonly correlationId: string;
  readonly acceptedAt: string;
  readonly status: ResultStatus;
};

/** What a task is answered with at once: that it was accepted, and its Result where there is one already. */
export type SapAnswer = { readonly ack?: SapAck; readonly result?: Result };

export const answerOf = (
  task: Task,
  { messageId, at }: { readonly messageId: string; readonly at: number },
  result: Result,
  isWhole: boolean,
): SapAnswer => {
  const { taskId, correlationId } = task;
  const acks = expectsAck(task);
  return {
    ...(acks
      ? { ack: { messageId, taskId, correlationId, acceptedAt: secondsTime(at), status: result.status } }
      : {}),
    // §5: who wants no acknowledgement is told the status by a Result.
    ...(isWhole || !acks ? { result } : {}),
  };
};

/** What we wrote ourselves; read by its schema, for a later version may have written it. */
export const readStoredResult = ({ result }: Pick<StoredSapResult, "result">): Result =>
  ResultSchema.parse(JSON.parse(result));
export const readStoredTask = ({ task }: Pick<StoredSapTask, "task">): Task =>
  TaskSchema.parse(JSON.parse(task));

/** SAP-13: a task is what it was the first time it came. */
export function refuseOtherTask(found: StoredSapTask, again: SentIdentity): void {
  if (isSameTask(found, again)) return;
  throw new SignalboxError("IDEMPOTENCY_KEY_REUSED", `Task ${found.taskId} is on file with other content.`, {
    violations: [
      { field: "taskId", rule: "immutable", message: "names another task; a new task has a new id" },
    ],
  });
}
