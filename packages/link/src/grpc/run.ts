import { toBinary } from "@bufbuild/protobuf";
import { AgentResultSchema, decodeMessageBinary, type TaskEnvelope } from "@signalbox/contracts";
import { LinkFailure, type Reached, type RunAnswer, unreadable } from "@signalbox/engine";
import { urlToCall } from "../agent-url.ts";
import { attemptOf } from "../attempt-of.ts";
import type { GrpcCalls } from "./adapter.ts";
import { failureOf } from "./failure.ts";

export async function run(
  { hosts, signer, channels }: GrpcCalls,
  to: Reached,
  envelope: TaskEnvelope,
  signal: AbortSignal,
): Promise<RunAnswer> {
  const url = urlToCall(to.address, hosts);
  const attempt = attemptOf(envelope);
  return channels.with(url, async ({ client, sessions }) => {
    // Connected first: what fails before there is a connection was seen by nobody.
    if ((await sessions.connect()) === "error")
      throw new LinkFailure("not-taken", `${url.host} cannot be reached`, { cause: sessions.error() });
    const headers = {
      authorization: `Bearer ${signer({ to, method: "RunAgent", ...attempt })}`,
      "idempotency-key": attempt.dispatchId,
    };
    const { result } = await client.runAgent({ envelope }, { signal, headers }).catch((error: unknown) => {
      // Cancelled by us, and not by the agent: it may go on with what it has (D8).
      if (signal.aborted) throw new LinkFailure("lost", "the call was called off", { cause: error });
      throw failureOf(error);
    });
    if (result === undefined) return { kind: "taken" };
    try {
      // Connect reads what protobuf can read; this is the reader of hostile bytes.
      return {
        kind: "answered",
        result: decodeMessageBinary(AgentResultSchema, toBinary(AgentResultSchema, result)),
      };
    } catch (cause) {
      throw unreadable("the agent answered with what is no AgentResult", cause);
    }
  });
}
