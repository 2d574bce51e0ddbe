import type { SapErrorCode } from "../sap/error-codes.ts";

/** The status codes of gRPC (grpc/doc/statuscodes.md) that Signalbox answers with. */
export const GRPC_STATUS = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

type GrpcStatus = (typeof GRPC_STATUS)[keyof typeof GRPC_STATUS];

type ErrorCodeEntry = {
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatus;
  readonly title: string;
  readonly sapCode: SapErrorCode;
};

const row = (
  httpStatus: number,
  grpc: keyof typeof GRPC_STATUS,
  sapCode: SapErrorCode,
  title: string,
): ErrorCodeEntry => ({ httpStatus, grpcStatus: GRPC_STATUS[grpc], title, sapCode });

/**
 * Every error Signalbox answers with, on every transport.
 *
 * 400 is for bytes that cannot be read, 422 for what was read and breaks a rule (RFC 9110 §15.5.1, §15.5.21):
 * the first is mended in the sender's encoder, the second in what it says. FAILED_PRECONDITION marks what a retry
 * cannot mend, ABORTED what a retry from a fresh read can.
 */
export const ERROR_CODES = {
  // What was sent
  MALFORMED_BODY: row(400, "INVALID_ARGUMENT", "INVALID_TASK", "The body cannot be read"),
  PAYLOAD_TOO_LARGE: row(413, "RESOURCE_EXHAUSTED", "INVALID_TASK", "The body is over a limit"),
  UNSUPPORTED_MEDIA_TYPE: row(415, "INVALID_ARGUMENT", "INVALID_TASK", "The media type is not supported"),
  METHOD_NOT_ALLOWED: row(405, "UNIMPLEMENTED", "INVALID_TASK", "The method is not allowed here"),
  VALIDATION_FAILED: row(422, "INVALID_ARGUMENT", "INVALID_TASK", "The content breaks a rule"),

  // Who asks
  UNAUTHENTICATED: row(401, "UNAUTHENTICATED", "UNAUTHORIZED", "The caller is not known"),
  FORBIDDEN: row(403, "PERMISSION_DENIED", "FORBIDDEN", "The caller may not do this"),
  RATE_LIMITED: row(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT", "Too many requests"),

  // What is there
  NOT_FOUND: row(404, "NOT_FOUND", "NOT_FOUND", "There is no such thing"),
  PACK_VERSION_EXISTS: row(409, "ALREADY_EXISTS", "UNPROCESSABLE", "This pack version has other content"),
  PACK_INCOMPATIBLE: row(
    422,
    "FAILED_PRECONDITION",
    "UNPROCESSABLE",
    "The pack does not fit this orchestrator",
  ),
  STALE_DISPATCH: row(409, "FAILED_PRECONDITION", "UNPROCESSABLE", "The dispatch is no longer current"),
  INVALID_STATE: row(409, "FAILED_PRECONDITION", "UNPROCESSABLE", "The present state does not allow this"),
  ALREADY_RESOLVED: row(409, "FAILED_PRECONDITION", "UNPROCESSABLE", "The escalation is already resolved"),
  VERSION_CONFLICT: row(412, "ABORTED", "UNPROCESSABLE", "It was changed since it was read"),
  CURSOR_EXPIRED: row(
    409,
    "FAILED_PRECONDITION",
    "UNPROCESSABLE",
    "What came after the cursor is not kept any more",
  ),
  IDEMPOTENCY_KEY_REUSED: row(409, "ALREADY_EXISTS", "UNPROCESSABLE", "The key belongs to another request"),
  IDEMPOTENT_RUN_FAILED: row(409, "FAILED_PRECONDITION", "UNPROCESSABLE", "The run under this key failed"),

  // What policy says
  UNROUTABLE: row(422, "FAILED_PRECONDITION", "UNPROCESSABLE", "Nothing here can take the task"),
  REDACTION_FAILED: row(422, "FAILED_PRECONDITION", "UNPROCESSABLE", "Secrets could not be masked"),
  CACHE_MISS: row(404, "NOT_FOUND", "CACHE_MISS", "No cached answer fits"),
  NON_CONSTITUTIONAL: row(422, "FAILED_PRECONDITION", "NON_CONSTITUTIONAL", "It violates the constitution"),

  // What we cannot do
  REDACTION_UNAVAILABLE: row(503, "UNAVAILABLE", "INTERNAL", "Masking of secrets is not available"),
  UNAVAILABLE: row(503, "UNAVAILABLE", "INTERNAL", "Not available at the moment"),
  DEADLINE_EXCEEDED: row(504, "DEADLINE_EXCEEDED", "TIMEOUT", "The deadline has passed"),
  UNIMPLEMENTED: row(501, "UNIMPLEMENTED", "UNPROCESSABLE", "This is not implemented"),
  INTERNAL: row(500, "INTERNAL", "INTERNAL", "Something failed inside"),
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
