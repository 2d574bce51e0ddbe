import { toJsonString } from "@bufbuild/protobuf";
import {
  AgentResultSchema,
  decodeMessageJson,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { type Reached, type RunAnswer, unreadable } from "@signalbox/engine";
import { urlToCall } from "../agent-url.ts";
import { attemptOf } from "../attempt-of.ts";
import type { HttpOptions } from "./adapter.ts";
import { failureOf, failureOfStatus } from "./failure.ts";
import { type Answer, post } from "./post.ts";

const ANSWER_WITHIN_MS = 50_000;

export async function run(
  { hosts, signer, answerWithinMs = ANSWER_WITHIN_MS }: HttpOptions,
  to: Reached,
  envelope: TaskEnvelope,
  signal: AbortSignal,
): Promise<RunAnswer> {
  const url = urlToCall(to.address, hosts);
  const attempt = attemptOf(envelope);
  const body = Buffer.from(toJsonString(TaskEnvelopeSchema, envelope));
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    authorization: `Bearer ${signer({ to, method: "RunAgent", ...attempt, body })}`,
    "idempotency-key": attempt.dispatchId,
  };
  const until = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  const answer = await post(url, hosts, { headers, body }, until).catch((error: unknown) => {
    throw failureOf(error);
  });
  return answerOf(answer);
}

function answerOf({ status, body }: Answer): RunAnswer {
  if (status === 202) return { kind: "taken" };
  if (status !== 200) throw failureOfStatus(status);
  try {
    return { kind: "answered", result: decodeMessageJson(AgentResultSchema, body) };
  } catch (cause) {
    throw unreadable("the agent answered 200 with what is no AgentResult", cause);
  }
}
