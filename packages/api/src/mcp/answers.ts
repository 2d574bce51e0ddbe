import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toSignalboxError } from "@signalbox/contracts";
import { type SapError, sapErrorOf } from "@signalbox/core";
import { nackOf } from "@signalbox/engine";

export function told(value: object, isError: boolean): CallToolResult {
  const text = JSON.stringify(value);
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text), isError };
}

/** SAP V2.0 §4.3: a task that is refused, in whatever way, is answered by a Nack. */
export const refusedTask = (thrown: unknown, task: unknown, messageId: string): CallToolResult =>
  told({ nack: nackOf(thrown, task, messageId) }, true);

/** A refusal is an answer that the model reads; what is inside a fault of ours is not told. */
export const refusedCall = (thrown: unknown): CallToolResult => told({ error: errorOf(thrown) }, true);

/** Where no task was sent, none is invalid. */
function errorOf(thrown: unknown): SapError {
  const error = sapErrorOf(toSignalboxError(thrown));
  return error.code === "INVALID_TASK" ? { ...error, code: "UNPROCESSABLE" } : error;
}
