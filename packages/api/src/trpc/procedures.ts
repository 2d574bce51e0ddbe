import { ERROR_CODES, SignalboxError, toProblem, type ErrorCode } from "@signalbox/contracts";
import type { Asked } from "@signalbox/engine";
import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY } from "@trpc/server";
import type { FastifyRequest } from "fastify";
import { z, ZodError } from "zod";
import { isBrokenFrame } from "../broken-frame.ts";
import { readWith, violationsOf } from "../read-with.ts";
import type { Transport } from "../transport.ts";

/** One HTTP request, or one WebSocket with all that is asked over it. */
export type Context = { transport: Transport; request: FastifyRequest };

const codeByStatus: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
  504: "GATEWAY_TIMEOUT",
};

/** What tRPC refuses by itself, in the closed set's words. Its message names only what the caller sent. */
const refusals: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: "MALFORMED_BODY",
  BAD_REQUEST: "MALFORMED_BODY",
  NOT_FOUND: "NOT_FOUND",
  METHOD_NOT_SUPPORTED: "METHOD_NOT_ALLOWED",
  PAYLOAD_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  UNSUPPORTED_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
};

export function refusalOf(error: TRPCError): SignalboxError {
  if (error.cause instanceof SignalboxError) return error.cause;
  if (error.cause instanceof ZodError) return violationsOf(error.cause);
  if (isBrokenFrame(error.cause))
    return new SignalboxError("MALFORMED_BODY", "The connection does not speak RFC 6455.", { cause: error });
  const code = refusals[error.code];
  return new SignalboxError(code ?? "INTERNAL", error.message, { cause: error });
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  // As an event stream a subscription is a request that never ends: no connection caps it, and a stop would wait.
  sse: { enabled: false },
  errorFormatter: ({ shape, error, ctx }) => {
    const problem = toProblem(refusalOf(error), { requestId: ctx?.request.id ?? "" });
    return { ...shape, message: problem.detail, data: { ...shape.data, problem } };
  },
});

export const router = t.router;

/** tRPC takes an unknown error for a 500; a command's refusal has a status of its own. */
const described = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const refusal = refusalOf(result.error);
  const code = codeByStatus[ERROR_CODES[refusal.code].httpStatus] ?? "INTERNAL_SERVER_ERROR";
  throw new TRPCError({ code, message: refusal.detail, cause: refusal });
});

/** Each call of a batch is counted, and each over a WebSocket. */
export const publicProcedure = described.use(({ ctx, next }) => {
  ctx.transport.limits.countCall(ctx.request);
  return next();
});

/** Asks at each call, also over a WebSocket: a connection outlives no session and no key. */
export const procedure = publicProcedure.use(async ({ ctx, next }) => {
  const caller = await ctx.transport.identification.requireCaller(ctx.request);
  const asked: Asked = { caller, requestId: ctx.request.id };
  return next({ ctx: { ...ctx, asked } });
});

/** A schema as tRPC takes one, whose faults are told as those of every other transport are, and not in zod's own words. */
export function inOurWords<Schema extends z.ZodType>(schema: Schema): Schema {
  const parseAsync = async (value: unknown) => readWith(schema, value);
  const said: Schema = Object.assign(Object.create(schema), { parseAsync });
  return said;
}

/** What every list takes. */
export const pageInput = z
  .strictObject({ cursor: z.string().optional(), limit: z.number().int().optional() })
  .optional();
