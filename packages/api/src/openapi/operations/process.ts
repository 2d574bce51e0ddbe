import { z } from "zod";
import { auditExportQuery, auditQuery } from "../../rest/audit.ts";
import { signIn } from "../../rest/session.ts";
import { packId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import {
  alive,
  auditLine,
  auditPage,
  document,
  readiness,
  session,
  signingKeys,
} from "../schemas/process.ts";

export const processOperations: Operations = {
  "GET /v1/audit": {
    id: "listAudit",
    tag: "Audit",
    summary: "Search the record, the newest first",
    description:
      '`q` finds words of action and rationale as a search engine does: `quarantine OR breaker`, `"no instance"`, `-probe`; ' +
      "at most 200 characters. Of the entries that every stage leaves which goes well (DISPATCH_DECISION, DISPATCH_SENT, " +
      "RESULT_RECEIVED, RESULT_VALIDATED, GATE_PASSED) it finds words only where `pipelineId` is given.",
    access: { action: "audit.read" },
    query: auditQuery,
    exampleQuery: { eventType: "PACK_REGISTERED", packId, limit: "10" },
    answers: { 200: { description: "A page.", schema: auditPage } },
  },
  "GET /v1/audit/export": {
    id: "exportAudit",
    tag: "Audit",
    summary: "Everything that fits, a line of JSON each, the newest first",
    description:
      'Each line is an entry as a page of `GET /v1/audit` gives it. The last line is `{"exported": n}`: an answer ' +
      "without it broke off. After 100,000 entries it has a `nextCursor` too, with which another export goes on. An " +
      "export begins before its own entry: AUDIT_EXPORTED is on record before the first line is sent. With `format=csv` it is " +
      "a table with a header, for spreadsheets: a cell that one would take for a formula begins with an apostrophe, and the " +
      "last row begins with `#exported`, the number and, where there is one, the cursor.",
    access: { action: "audit.read" },
    query: auditExportQuery,
    exampleQuery: { eventType: "AUDIT_EXPORTED", to: "2020-01-01T00:00:00Z" },
    answers: {
      200: { description: "The lines.", schema: auditLine, mediaType: "application/x-ndjson" },
    },
  },
  "POST /v1/session": {
    id: "openSession",
    tag: "Session",
    summary: "Sign in with a one-time link's token, or with address and password",
    access: "open",
    body: { schema: signIn, example: { token: "the part of the link behind the #" } },
    answers: {
      201: {
        description: "Signed in; the cookie is set.",
        schema: session,
        headers: { "set-cookie": "The session." },
      },
    },
    refuses: ["UNAUTHENTICATED", "FORBIDDEN"],
    repeated: { safeBecause: "a link opens one session, and who signs in again has one more" },
  },
  "DELETE /v1/session": {
    id: "closeSession",
    tag: "Session",
    summary: "Sign out",
    access: { action: "session.close" },
    answers: { 204: { description: "Signed out." } },
  },
  "GET /openapi.json": {
    id: "document",
    tag: "Process",
    summary: "This document",
    access: "open",
    answers: { 200: { description: "What this server offers.", schema: document } },
  },
  "GET /.well-known/jwks.json": {
    id: "signingKeys",
    tag: "Process",
    summary: "What agents verify calls with",
    description: "The public keys (RFC 7517) of the signatures on the calls that Signalbox makes to agents.",
    access: "open",
    answers: { 200: { description: "The keys.", schema: signingKeys } },
  },
  "GET /metrics": {
    id: "metrics",
    tag: "Process",
    summary: "What this process counted, for Prometheus",
    description:
      "Counters and histograms since the process began, of the tenant whose credential it is, and gauges as they are now: " +
      "docs/metrics.md. Every node tells what it committed itself.",
    access: { action: "metrics.read" },
    answers: {
      200: { description: "Prometheus's text format.", schema: z.string(), mediaType: "text/plain" },
    },
  },
  "GET /healthz": {
    id: "health",
    tag: "Process",
    summary: "Is the process alive?",
    access: "open",
    answers: { 200: { description: "It is.", schema: alive } },
  },
  "GET /readyz": {
    id: "readiness",
    tag: "Process",
    summary: "May it be sent work?",
    access: "open",
    answers: {
      200: { description: "It may.", schema: readiness },
      503: { description: "Not now, and why.", schema: readiness },
    },
  },
};
