import type { IncomingMessage, RequestListener } from "node:http";
import { PROBLEM_MEDIA_TYPE, SignalboxError, toProblem } from "@signalbox/contracts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

type Refusal = { status: number; error: SignalboxError };

/** What a router cannot take in hand: it would fail on it, or Node would answer with an empty page. */
export const refuseUnroutable =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const refusal = refusalOf(request);
    if (refusal === undefined) return handler(request, response);
    const requestId = requestIdOf(request);
    const problem = { ...toProblem(refusal.error, { requestId }), status: refusal.status };
    // Its body is not read, so nothing more can follow on this connection.
    if (request.httpVersionMajor === 1) response.setHeader("connection", "close");
    response.writeHead(refusal.status, {
      "content-type": PROBLEM_MEDIA_TYPE,
      "cache-control": "no-store",
      [requestIdHeader]: requestId,
    });
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(problem));
  };

function refusalOf({ method = "", headers, httpVersion }: IncomingMessage): Refusal | undefined {
  if (!methods.includes(method)) {
    const detail = `${method.slice(0, 40)} is no method of this server, ${methods.join(", ")} are.`;
    return { status: 501, error: new SignalboxError("UNIMPLEMENTED", detail) };
  }
  // RFC 9112 §3.2. HTTP/2 has :authority, and HTTP/1.0 no such rule.
  if (httpVersion === "1.1" && headers.host === undefined) {
    return { status: 400, error: new SignalboxError("MALFORMED_BODY", "The request has no host header.") };
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    const detail = "The only expectation that can be met is 100-continue.";
    return { status: 417, error: new SignalboxError("UNIMPLEMENTED", detail) };
  }
  return undefined;
}
