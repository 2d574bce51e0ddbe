import {
  Code,
  ConnectError,
  createContextKey,
  type ContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import {
  ERROR_CODES,
  ErrorDetailSchema,
  type SignalboxError,
  toProblem,
  type ErrorCode,
  type Violation,
} from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";
import { inSendersWords, type SentJson } from "../in-senders-words.ts";
import { noteRefusal, readError, retryAfterSeconds } from "../problem.ts";

export const requestKey = createContextKey<FastifyRequest | undefined>(undefined);

export function requestIn(values: ContextValues): FastifyRequest {
  const request = values.get(requestKey);
  if (request === undefined) throw new Error("a call came past the plugin that hands on its request");
  return request;
}

/** Set where the call was made in JSON. */
export const sentJsonKey = createContextKey<SentJson | undefined>(undefined);

/** Whatever is thrown leaves as a status with the same code and violations that REST would answer. */
export async function describing<T>(values: ContextValues, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw connectError(thrown, values);
  }
}

export const describeErrors: Interceptor = (next) => (call) =>
  describing(call.contextValues, () => next(call));

export function connectError(thrown: unknown, values: ContextValues): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const request = requestIn(values);
  const sentJson = values.get(sentJsonKey);
  const error = sentJson === undefined ? readError(thrown) : inSendersWords(readError(thrown), sentJson);
  const { detail, violations, code, requestId } = toProblem(error, { requestId: request.id });
  noteRefusal(request.log, error, "call");
  const value = { code, detail, violations: [...violations], requestId };
  return new ConnectError(saying(detail, violations), statusOf(code), retryHint(error), [
    { desc: ErrorDetailSchema, value },
  ]);
}

const MOST_SAID = 5;

/** Few clients of gRPC show a status's details: what is wrong has to stand in its message too. */
function saying(detail: string, violations: readonly Violation[]): string {
  const faults = violations.filter(({ message }) => !detail.includes(message));
  const said = faults.slice(0, MOST_SAID).map(({ field, message }) => `${field} ${message}`.trim());
  if (said.length < faults.length) said.push(`and ${faults.length - said.length} more`);
  return said.length === 0 ? detail : `${detail.replace(/\.$/, "")}: ${said.join("; ")}`;
}

/** The pushback is what gRPC's own clients wait for (gRFC A6); the other is the same word as over REST. */
function retryHint(error: SignalboxError): Record<string, string> | undefined {
  const seconds = retryAfterSeconds(error);
  if (seconds === undefined) return undefined;
  const pushback = Math.ceil(error.retryAfterMs ?? Number(seconds) * 1_000);
  return { "retry-after": seconds, "grpc-retry-pushback-ms": String(pushback) };
}

/** Connect numbers its codes as gRPC does; `Object.values` of a numeric enum also holds the names. */
function statusOf(code: ErrorCode): Code {
  const { grpcStatus } = ERROR_CODES[code];
  const isStatus = (value: Code | string): value is Code => Number(value) === grpcStatus;
  return Object.values(Code).find(isStatus) ?? Code.Internal;
}
