import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const requestIdHeader = "x-request-id";

/** Bounded, and free of what could break a log line or a header. A repeated header arrives joined by a comma. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{7,127}$/;

/** The caller's own id where it is well formed, so that its traces and ours meet; else a new one. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers[requestIdHeader];
  return typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
}
