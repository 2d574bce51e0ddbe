import { toJsonString, create } from "@bufbuild/protobuf";
import { CancelAgentRequestSchema } from "@signalbox/contracts";
import type { CancelledAttempt, Reached } from "@signalbox/engine";
import { urlToCall } from "../agent-url.ts";
import type { HttpOptions } from "./adapter.ts";
import { post } from "./post.ts";

const CANCEL_WITHIN_MS = 10_000;

/** To the address with `/cancel` behind it: 2xx, or 404 and 410 from an agent that knows of nothing to stop. */
export async function cancel(
  { hosts, signer }: HttpOptions,
  to: Reached,
  attempt: CancelledAttempt,
): Promise<void> {
  const url = urlToCall(to.address, hosts);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/cancel`;
  const body = Buffer.from(toJsonString(CancelAgentRequestSchema, create(CancelAgentRequestSchema, attempt)));
  const token = signer({ to, method: "CancelAgent", ...attempt, body });
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const { status } = await post(url, hosts, { headers, body }, AbortSignal.timeout(CANCEL_WITHIN_MS));
  const isTold = (status >= 200 && status <= 299) || status === 404 || status === 410;
  if (!isTold) throw new Error(`the agent answered ${status} to a cancel`);
}
