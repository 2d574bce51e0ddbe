import { AgentResultSchema, decodeMessageBinary, SignalboxError } from "@signalbox/contracts";
import type { Inbound } from "@signalbox/engine";
import type { Entry } from "./entries.ts";

/** What may be otherwise in a moment; everything else is the same however often it is read. */
const passing: ReadonlySet<string> = new Set(["UNAVAILABLE", "REDACTION_UNAVAILABLE", "RATE_LIMITED"]);

/** True when the entry is dealt with, be it that what it says is refused: nobody waits for an answer. */
export async function hearEntry(
  inbound: Inbound,
  { fields }: Entry,
  onRefused: (error: unknown) => void,
): Promise<boolean> {
  const result = fields.get("result");
  const renewed = fields.get("renew");
  try {
    if (result !== undefined) {
      const message = decodeMessageBinary(AgentResultSchema, result);
      await inbound.report(message.dispatchId, message);
    } else if (renewed !== undefined) await inbound.renew(renewed.toString());
    else throw new SignalboxError("MALFORMED_BODY", "An entry has neither a result nor a renew.");
    return true;
  } catch (error) {
    const code = error instanceof SignalboxError ? error.code : undefined;
    // What everybody is told who comes too late.
    if (code !== "STALE_DISPATCH") onRefused(error);
    return code !== undefined && !passing.has(code);
  }
}
