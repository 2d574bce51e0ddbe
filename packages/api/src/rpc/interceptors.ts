import {
  Code,
  ConnectError,
  createContextKey,
  type ContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import { ERROR_CODES, ErrorDetailSchema, toProblem, type ErrorCode } from "@signalbox/contracts";
import type { Asked } from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
import { refuseWhileDraining } from "../draining.ts";
import { readError } from "../problem.ts";
import type { Transport } from "../transport.ts";

export const requestKey = createContextKey<FastifyRequest | undefined>(undefined);
const askedKey = createContextKey<Asked | undefined>(undefined);

export function askedOf(values: ContextValues): Asked {
  const asked = values.get(askedKey);
  if (asked === undefined) throw new Error("a call came past the interceptor that names its caller");
  return asked;
}

function requestIn(values: ContextValues): FastifyRequest {
  const request = values.get(requestKey);
  if (request === undefined) throw new Error("a call came past the plugin that hands on its request");
  return request;
}

/** First: whatever is thrown below leaves as a status with the same code and violations that REST would answer. */
export const describeErrors: Interceptor = (next) => async (call) => {
  try {
    return await next(call);
  } catch (thrown) {
    if (thrown instanceof ConnectError) throw thrown;
    throw connectError(thrown, requestIn(call.contextValues));
  }
};

/** Second: the caller. The commands themselves ask for permission, and validate, in that order. */
export const identify =
  ({ system, identification }: Transport): Interceptor =>
  (next) =>
  async (call) => {
    refuseWhileDraining(system);
    const request = requestIn(call.contextValues);
    const caller = await identification.requireCaller(request);
    call.contextValues.set(askedKey, { caller, requestId: request.id });
    return next(call);
  };

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
