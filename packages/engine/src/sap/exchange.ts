import { parseJson, SignalboxError, toSignalboxError } from "@signalbox/contracts";
import { UuidSchema } from "@signalbox/contracts/sap";
import { type SapError, sapErrorOf } from "@signalbox/core";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import type { SapAnswer } from "./answer.ts";
import { type SapDoor, submitSapTask } from "./submit-sap-task.ts";

/** SAP V2.0 §4.3: the envelope was rejected. */
export type SapNack = {
  readonly messageId: string;
  readonly correlationId: string | null;
  readonly taskId: string | null;
  readonly error: SapError;
};

export type SapExchange = SapAnswer & { readonly nack?: SapNack };

/**
 * A task in, and what it is answered, out, whatever was sent: for doors that have no other way to refuse. In the same
 * process it is the bus itself.
 */
export async function exchangeSapTask(
  engine: Engine,
  asked: Asked,
  value: unknown,
  door: SapDoor = "in-process",
): Promise<SapExchange> {
  try {
    return await submitSapTask(engine, asked, door === "in-process" ? asSent(value) : value, door);
  } catch (thrown) {
    return { nack: nackOf(thrown, value, asked.requestId) };
  }
}

/** A program hands over a value and no text; what no text could carry is refused as by the readers of the other doors. */
function asSent(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new SignalboxError(
      "MALFORMED_BODY",
      "The task is no JSON: it holds itself, or what JSON has no form for.",
      {
        cause,
      },
    );
  }
  return text === undefined ? value : parseJson(text);
}

/** What is inside a fault of ours never leaves: it is INTERNAL. */
export const nackOf = (thrown: unknown, value: unknown, messageId: string): SapNack => ({
  messageId,
  correlationId: idIn(value, "correlationId"),
  taskId: idIn(value, "taskId"),
  error: sapErrorOf(toSignalboxError(thrown)),
});

/** Of an envelope that may be anything: its id, where it is one. */
function idIn(value: unknown, name: "correlationId" | "taskId"): string | null {
  const read = UuidSchema.safeParse(
    typeof value === "object" && value !== null ? Reflect.get(value, name) : null,
  );
  return read.success ? read.data : null;
}
