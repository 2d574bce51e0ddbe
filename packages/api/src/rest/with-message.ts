import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { decodeMessageJson, SignalboxError } from "@signalbox/contracts";
import { inSendersWords } from "../in-senders-words.ts";

/** Runs on the message that a body holds, or is known to hold. Whatever refuses it names its fields as the body does. */
export async function withMessage<Desc extends DescMessage, T>(
  schema: Desc,
  body: Uint8Array | undefined,
  run: (message: MessageShape<Desc>) => Promise<T>,
  known?: MessageShape<Desc>,
): Promise<T> {
  const sent = body ?? "";
  try {
    return await run(known ?? decodeMessageJson(schema, sent, { unknownFields: "refuse" }));
  } catch (thrown) {
    throw thrown instanceof SignalboxError ? inSendersWords(thrown, { schema, body: sent }) : thrown;
  }
}
