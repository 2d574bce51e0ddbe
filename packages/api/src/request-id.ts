import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { compileRedactor, redactText } from "@signalbox/core";

export const requestIdHeader = "x-request-id";

/** Bounded, and free of what could break a log line or a header. A repeated header arrives joined by a comma. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{7,127}$/;

const redactor = compileRedactor();
const looksSecret = (text: string): boolean => redactText(redactor, text).text !== text;

/**
 * The caller's own id where it is well formed, so that its traces and ours meet; else a new one. It stands on record for good:
 * a secret in the wrong header is not taken for one (D21).
 */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers[requestIdHeader];
  const isTaken = typeof given === "string" && wellFormed.test(given) && !looksSecret(given);
  return isTaken ? given : randomUUID();
}
