import { glimpseJson, parseJson, SignalboxError } from "@signalbox/contracts";
import type { Caller } from "@signalbox/core";
import {
  type Asked,
  type Engine,
  nackOf,
  readSapResult,
  type SapExchange,
  submitSapTask,
} from "@signalbox/engine";
import type { Entry } from "../redis-streams/entries.ts";
import type { Fields } from "./scripts.ts";

/** As over REST. */
const MOST_BYTES = 1024 * 1024;
const MOST_TAKEN_UP = 5;

/** What may be otherwise in a moment: the entry waits for it, and its sender does. */
const passing: ReadonlySet<string> = new Set(["UNAVAILABLE", "REDACTION_UNAVAILABLE", "RATE_LIMITED"]);

/** What an entry says, by the command that every door calls; rejects with what passes, and is asked again. */
export async function answerEntry(
  engine: Engine,
  caller: Caller | undefined,
  { fields }: Entry,
  onFailure: (error: unknown) => void,
): Promise<SapExchange> {
  const requestId = engine.newId();
  try {
    if (caller === undefined)
      throw new SignalboxError("UNAUTHENTICATED", "The stream's key is unknown, expired or revoked.");
    const asked: Asked = { caller, requestId };
    const [task, read] = [fields.get("task"), fields.get("read")];
    if ((task === undefined) === (read === undefined)) throw refuseFields();
    if (read !== undefined) return { result: await readSapResult(engine, asked, read.toString()) };
    return await submitSapTask(engine, asked, parseJson(task ?? "", { maxBytes: MOST_BYTES }), "redis");
  } catch (thrown) {
    if (thrown instanceof SignalboxError && passing.has(thrown.code)) throw thrown;
    if (!(thrown instanceof SignalboxError)) onFailure(thrown);
    return { nack: nackOf(thrown, sentIn(fields), requestId) };
  }
}

/** What was refused as JSON may still say whose it is. */
function sentIn(fields: Entry["fields"]): unknown {
  const task = fields.get("task");
  return task === undefined || task.length > MOST_BYTES ? undefined : glimpseJson(task);
}

/** A question over which process after process ended is not taken up for ever. */
export function givenUp(engine: Engine, takenUp: number): SapExchange | undefined {
  if (takenUp <= MOST_TAKEN_UP) return undefined;
  const error = new SignalboxError("INTERNAL", `It was taken up ${MOST_TAKEN_UP} times, and never answered.`);
  return { nack: nackOf(error, undefined, engine.newId()) };
}

/** SAP V2.0 §10: what is answered keeps its ids where a reader finds them without reading JSON. */
export function answerFields(answer: SapExchange, replyTo?: string): Fields {
  const { taskId, correlationId } = answer.ack ?? answer.result ?? answer.nack ?? {};
  return {
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(taskId ? { task_id: taskId } : {}),
    ...(correlationId ? { correlation_id: correlationId } : {}),
    answer: JSON.stringify(answer),
  };
}

const refuseFields = () => {
  const message = "an entry has one field: task, a Task as JSON; or read, the taskId of one";
  return new SignalboxError("VALIDATION_FAILED", "The entry says nothing.", {
    violations: [{ field: "task", rule: "required", message }],
  });
};
