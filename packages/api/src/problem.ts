import {
  ERROR_CODES,
  PROBLEM_MEDIA_TYPE,
  SignalboxError,
  toProblem,
  toSignalboxError,
} from "@signalbox/contracts";
import { whyAway } from "@signalbox/engine";
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from "fastify";

const read = (detail: string, code: ConstructorParameters<typeof SignalboxError>[0]) => (cause: unknown) =>
  new SignalboxError(code, detail, { cause });

const leftHalfWay = read(
  "The client closed the connection before its request was complete.",
  "MALFORMED_BODY",
);

const TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

/** What Fastify itself refuses, in the closed set's words. Its other errors are faults of ours. */
const fastifyErrors: Record<string, (cause: unknown) => SignalboxError> = {
  [TOO_LARGE]: read("The body is larger than this path accepts.", "PAYLOAD_TOO_LARGE"),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: read(
    "The content type is not one that this path reads; send application/json.",
    "UNSUPPORTED_MEDIA_TYPE",
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: read(
    "The body is not as long as content-length says.",
    "MALFORMED_BODY",
  ),
  FST_ERR_CTP_INVALID_JSON_BODY: read("The body is not a JSON document.", "MALFORMED_BODY"),
  FST_ERR_CTP_EMPTY_JSON_BODY: read("The body is empty, and a JSON document is needed.", "MALFORMED_BODY"),
  FST_ERR_BAD_URL: read("The path holds an escape that cannot be decoded.", "NOT_FOUND"),
  FST_ERR_MAX_PARAM_LENGTH: read("A part of the path is longer than any name here.", "NOT_FOUND"),
  ECONNRESET: leftHalfWay,
  // What Node calls it where the request came over HTTP/2.
  ERR_STREAM_PREMATURE_CLOSE: leftHalfWay,
};

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";

export const readError = (error: unknown): SignalboxError =>
  fastifyErrors[codeOf(error)]?.(error) ?? toSignalboxError(error);

/** What a path takes beside what most do. */
const takenBy = ({ server }: FastifyRequest): string => {
  // What takes all of them has no reader for one.
  if (!server.hasContentTypeParser("application/json")) return "a media type such as image/png";
  return server.hasContentTypeParser("application/yaml")
    ? "application/json or application/yaml"
    : "application/json";
};

const isUnread = (thrown: unknown): boolean => codeOf(thrown) === "FST_ERR_CTP_INVALID_MEDIA_TYPE";

/** The path's own bound and media types are said where they are known. */
const readErrorOn = (request: FastifyRequest, thrown: unknown): SignalboxError =>
  isUnread(thrown)
    ? read(
        `The content type is not one that this path reads; send ${takenBy(request)}.`,
        "UNSUPPORTED_MEDIA_TYPE",
      )(thrown)
    : readBoundOn(request, thrown);

const readBoundOn = ({ routeOptions }: FastifyRequest, thrown: unknown): SignalboxError =>
  codeOf(thrown) === TOO_LARGE && routeOptions.bodyLimit !== undefined
    ? read(
        `The body is larger than the ${routeOptions.bodyLimit} bytes that this path takes.`,
        "PAYLOAD_TOO_LARGE",
      )(thrown)
    : readError(thrown);

/** RFC 9110 §10.2.3 knows whole seconds only. */
export function retryAfterSeconds({ code, retryAfterMs }: SignalboxError): string | undefined {
  const usual = { 429: 1_000, 503: 2_000 }[ERROR_CODES[code].httpStatus];
  const wait = retryAfterMs ?? usual;
  return wait === undefined ? undefined : String(Math.max(1, Math.ceil(wait / 1_000)));
}

/**
 * RFC 9112 §9.6: most clients read no answer before they have sent all of their body, and meet a reset where the connection ends
 * with the answer. So it ends with the request: what is left is read and let go, for as long as any request may take.
 */
function letFinish({ raw }: FastifyRequest, reply: FastifyReply): void {
  // Who asked whether to send it does not: nothing of it comes, and the connection can only end.
  if (raw.httpVersionMajor !== 1 || raw.headers.expect !== undefined) return;
  reply.removeHeader("connection");
  if (reply.raw.shouldKeepAlive) return;
  reply.raw.shouldKeepAlive = true;
  const end = () => raw.socket.destroySoon();
  reply.raw.once("finish", () => {
    if (raw.readableEnded) end();
    else raw.once("end", end);
  });
}

/**
 * A fault of the server's, which is an error in its log. A deadline that has passed is the caller's own, and what is unavailable
 * without a cause was refused on purpose: the process stops, or too much waits.
 */
const isOurs = ({ code, cause }: SignalboxError): boolean =>
  ERROR_CODES[code].httpStatus >= 500 &&
  code !== "DEADLINE_EXCEEDED" &&
  !(code === "UNAVAILABLE" && cause === undefined);

type Asking = "request" | "call" | "procedure";

/** Of a database that is away the process says itself that it is lost; each request that meets it has the reason, and no stack. */
export function noteRefusal(
  log: Pick<FastifyBaseLogger, "debug" | "warn" | "error">,
  error: SignalboxError,
  what: Asking,
  more: object = {},
): void {
  const reason = whyAway(error);
  if (reason !== undefined) log.warn({ ...more, code: error.code, reason }, `${what} refused`);
  else if (isOurs(error)) log.error({ ...more, err: error }, `${what} failed`);
  else log.debug({ ...more, code: error.code, violations: error.violations }, `${what} refused`);
}

/** The one place where a refusal becomes problem+json. What is inside goes to the log, and never to the caller. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  /** Members that a path adds (RFC 9457 §3.2). */
  extend: (error: SignalboxError) => object = () => ({}),
): FastifyReply {
  const error = readErrorOn(request, thrown);
  const problem = toProblem(error, { requestId: request.id });
  noteRefusal(request.log, error, "request");
  if (problem.status === 401) reply.header("www-authenticate", "Bearer");
  if (codeOf(thrown) === TOO_LARGE) letFinish(request, reply);
  const wait = retryAfterSeconds(error);
  if (wait !== undefined) reply.header("retry-after", wait);
  return reply
    .code(problem.status)
    .header("cache-control", "no-store")
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify({ ...problem, ...extend(error) }));
}

export const onError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  sendProblem(request, reply, error);

/** The code of an upgrade that the ws library refused. */
export const notWebSocket = "NOT_WEBSOCKET";

/** A request that HTTP/1.1 could not even parse has no reply object: the problem is written by hand. */
export function rawProblem(error: { code?: string }, requestId: string): string {
  const refusals: Record<string, [status: string, refusal: SignalboxError]> = {
    [notWebSocket]: [
      "400 Bad Request",
      new SignalboxError("MALFORMED_BODY", "The upgrade is not to a WebSocket of version 13."),
    ],
    HPE_HEADER_OVERFLOW: [
      "431 Request Header Fields Too Large",
      new SignalboxError("PAYLOAD_TOO_LARGE", "The headers are larger than this server reads."),
    ],
    ERR_HTTP_REQUEST_TIMEOUT: [
      "408 Request Timeout",
      new SignalboxError("DEADLINE_EXCEEDED", "The request did not arrive in time."),
    ],
  };
  const [status, refusal] = refusals[error.code ?? ""] ?? [
    "400 Bad Request",
    new SignalboxError("MALFORMED_BODY", "The request is not HTTP/1.1."),
  ];
  const problem = { ...toProblem(refusal, { requestId }), status: Number(status.slice(0, 3)) };
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${status}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
