import {
  Code,
  ConnectError,
  createContextKey,
  type ContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import { ERROR_CODES, ErrorDetailSchema, toProblem, type ErrorCode } from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";
import { readError } from "../problem.ts";

export const requestKey = createContextKey<FastifyRequest | undefined>(undefined);

export function requestIn(values: ContextValues): FastifyRequest {
  const request = values.get(requestKey);
  if (request === undefined) throw new Error("a call came past the plugin that hands on its request");
  return request;
}

/** Whatever is thrown leaves as a status with the same code and violations that REST would answer. */
export async function describing<T>(request: FastifyRequest, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof ConnectError) throw thrown;
    throw connectError(thrown, request);
  }
}

export const describeErrors: Interceptor = (next) => (call) =>
  describing(requestIn(call.contextValues), () => next(call));

function connectError(thrown: unknown, request: FastifyRequest): ConnectError {
  const error = readError(thrown);
  const { detail, violations, code, requestId } = toProblem(error, { requestId: request.id });
  if (ERROR_CODES[code].httpStatus >= 500) request.log.error({ err: error }, "call failed");
  else request.log.debug({ code, violations }, "call refused");
  const value = { code, detail, violations: [...violations], requestId };
  return new ConnectError(detail, statusOf(code), undefined, [{ desc: ErrorDetailSchema, value }]);
}

/** Connect numbers its codes as gRPC does; `Object.values` of a numeric enum also holds the names. */
function statusOf(code: ErrorCode): Code {
  const { grpcStatus } = ERROR_CODES[code];
  const isStatus = (value: Code | string): value is Code => Number(value) === grpcStatus;
  return Object.values(Code).find(isStatus) ?? Code.Internal;
}
