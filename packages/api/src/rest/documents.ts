import { SignalboxError } from "@signalbox/contracts";
import type { DocumentKind } from "@signalbox/core";
import {
  checkDocument,
  createDraft,
  discardDraft,
  type DocumentView,
  getDocument,
  listDocuments,
  publishDocument,
  simulatePolicy,
  simulationLimit,
  updateDraft,
} from "@signalbox/engine";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { checkView, documentVersionView, documentView, simulationView } from "../document-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { editOf, entityTag, requireEdit } from "./entity-tag.ts";
import { optionalJsonBody } from "./json-body.ts";
import { listQuery, readQuery, textParameter } from "./list-query.ts";

type OfVersion = { version: string };

const paths: Readonly<Record<DocumentKind, string>> = {
  "routing-policy": "/v1/routing-policies",
  "pipeline-templates": "/v1/pipeline-templates",
};
const yamlTypes = ["application/yaml", "text/yaml"];
export const pages = listQuery({});
/** The body is the document, so what is said about it stands in the query. */
export const remarks = z.strictObject({ note: textParameter });
export const publication = z.strictObject({
  note: z.string().optional(),
  replaces: z.string().nullable().optional(),
});

const lastText = `a whole number from 1 to ${simulationLimit.most}`;
export const simulationQuery = z.strictObject({
  last: z
    .string()
    .regex(/^\d{1,9}$/, lastText)
    .transform(Number)
    .optional()
    .meta({
      description: `How many of the newest decisions; ${simulationLimit.usual} where nothing is said.`,
    }),
});

/** Routing policies and pipeline templates have one life, and so the same doors. */
export async function documentRoutes(app: FastifyInstance, transport: Transport): Promise<void> {
  // In a context of its own: nowhere else is YAML read.
  await app.register(async (own) => {
    own.addContentTypeParser(yamlTypes, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    writing(own, transport, "routing-policy");
    writing(own, transport, "pipeline-templates");
  });
  reading(app, transport, "routing-policy");
  reading(app, transport, "pipeline-templates");
  simulating(app, transport);
}

/** What takes a document as its body: YAML, or JSON as the YAML that it is. */
function writing(app: FastifyInstance, transport: Transport, kind: DocumentKind): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);
  const path = paths[kind];

  route("POST", path, async (asked, request, reply) => {
    const draft = { text: textOf(request.body), ...readQuery(remarks, request.query) };
    const { document, created } = await createDraft(system, asked, kind, draft);
    const location = `${path}/${encodeURIComponent(document.version)}`;
    return show(reply.code(created ? 201 : 200).header("location", location), document);
  });

  route<OfVersion>("PUT", `${path}/:version`, async (asked, request, reply) => {
    const { version } = request.params;
    const change = { version, edit: requireEdit(request), text: textOf(request.body) };
    const { note } = readQuery(remarks, request.query);
    return show(reply, await updateDraft(system, asked, kind, { ...change, note }));
  });

  route("POST", `${path}/check`, async (asked, request) => {
    return checkView(await checkDocument(system, asked, kind, textOf(request.body)));
  });
}

function reading(app: FastifyInstance, transport: Transport, kind: DocumentKind): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);
  const path = paths[kind];

  route("GET", path, async (asked, request) => {
    const page = readQuery(pages, request.query);
    const { documents, nextCursor } = await listDocuments(system, asked, kind, page);
    return { versions: documents.map(documentVersionView), nextCursor };
  });

  route<OfVersion>("GET", `${path}/:version`, async (asked, request, reply) =>
    show(reply, await getDocument(system, asked, kind, request.params.version)),
  );

  route<OfVersion>("DELETE", `${path}/:version`, async (asked, request, reply) => {
    const draft = { version: request.params.version, edit: requireEdit(request) };
    await discardDraft(system, asked, kind, draft);
    return reply.code(204).send();
  });

  route<OfVersion>("POST", `${path}/:version/publish`, async (asked, request, reply) => {
    const seen = { edit: editOf(request), ...optionalJsonBody(publication, request.body) };
    const { version } = request.params;
    return show(reply, await publishDocument(system, asked, kind, { version, ...seen }));
  });
}

/** Of policies alone: a template decides nothing that was recorded. */
function simulating(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const path = `${paths["routing-policy"]}/:version/simulate`;
  identifiedRoutes(app, transport)<OfVersion>("POST", path, async (asked, request) => {
    const { last } = readQuery(simulationQuery, request.query);
    const { text } = await getDocument(system, asked, "routing-policy", request.params.version);
    return simulationView(await simulatePolicy(system, asked, { text, last }));
  });
}

function show(reply: FastifyReply, document: DocumentView) {
  reply.header("etag", entityTag(document.edit));
  return documentView(document);
}

function textOf(body: Uint8Array | undefined): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body ?? new Uint8Array());
  } catch (cause) {
    throw new SignalboxError("MALFORMED_BODY", "The document is not UTF-8.", { cause });
  }
}
