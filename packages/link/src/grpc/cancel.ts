import type { CancelledAttempt, Reached } from "@signalbox/engine";
import { urlToCall } from "../agent-url.ts";
import type { GrpcCalls } from "./adapter.ts";

const CANCEL_WITHIN_MS = 10_000;

export async function cancel(
  { hosts, signer, channels }: GrpcCalls,
  to: Reached,
  attempt: CancelledAttempt,
): Promise<void> {
  const headers = { authorization: `Bearer ${signer({ to, method: "CancelAgent", ...attempt })}` };
  await channels.with(urlToCall(to.address, hosts), ({ client }) =>
    client.cancelAgent(attempt, { headers, timeoutMs: CANCEL_WITHIN_MS }),
  );
}
