/** What a page shows of a failure. On the wire it is problem+json (RFC 9457), on tRPC `error.data.problem`. */
export type Problem = {
  code: string;
  title: string;
  detail: string;
  violations: readonly Violation[];
  requestId?: string | undefined;
};

/** One fault in what was asked for: where, and what is allowed. */
type Violation = { field: string; message: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";

const isViolation = (value: unknown): value is Violation =>
  isRecord(value) && isText(value.field) && isText(value.message);

export function parseProblem(body: unknown): Problem | undefined {
  if (!isRecord(body) || !isText(body.code) || !isText(body.title)) return undefined;
  return {
    code: body.code,
    title: body.title,
    detail: isText(body.detail) ? body.detail : "",
    violations: Array.isArray(body.violations) ? body.violations.filter(isViolation) : [],
    requestId: isText(body.requestId) ? body.requestId : undefined,
  };
}

const unreachable: Problem = {
  code: "UNREACHABLE",
  title: "Signalbox cannot be reached",
  detail: "The server does not answer, or the network between it and this browser is down.",
  violations: [],
};

const unexpected: Problem = {
  code: "PAGE_FAILED",
  title: "This page failed",
  detail: "It met something that it was not built for. What you did before is safe.",
  violations: [],
};

/** Whatever was thrown: a problem of the server's, a request that found nobody, or a fault of the page itself. */
export function problemOf(thrown: unknown): Problem {
  if (!isRecord(thrown)) return unexpected;
  const problem = isRecord(thrown.data) ? parseProblem(thrown.data.problem) : undefined;
  if (problem !== undefined) return problem;
  return isNoAnswer(thrown) || isNoAnswer(thrown.cause) ? unreachable : unexpected;
}

/** `fetch` rejects with a TypeError for every network failure; a proxy in front of a stopped server answers 502 to 504 in HTML, which is no JSON. */
const isNoAnswer = (thrown: unknown): boolean =>
  thrown instanceof SyntaxError ||
  (thrown instanceof TypeError && /fetch|network|load/i.test(thrown.message)) ||
  (isRecord(thrown) && thrown.name === "TRPCWebSocketClosedError");

const mayPass = new Set(["UNREACHABLE", "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "RATE_LIMITED"]);

/** A refusal stays a refusal however often it is asked for; only what may pass by itself is asked again. */
export const isWorthRetrying = (thrown: unknown): boolean => mayPass.has(problemOf(thrown).code);

export const isSignedOut = (thrown: unknown): boolean => problemOf(thrown).code === "UNAUTHENTICATED";
export const isNotFound = (thrown: unknown): boolean => problemOf(thrown).code === "NOT_FOUND";
