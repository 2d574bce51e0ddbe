import type { Action } from "@signalbox/core";
import { pages, publication, remarks, simulationQuery } from "../../rest/documents.ts";
import { policyText, templatesText } from "../examples.ts";
import type { Operations, Tag } from "../operation.ts";
import { document, documentCheck, documentPage, simulation } from "../schemas/documents.ts";
import { z } from "zod";

type Kind = {
  readonly path: string;
  readonly tag: Tag;
  readonly id: string;
  readonly text: string;
  readonly actions: Readonly<Record<"read" | "draft" | "publish", Action>>;
};

const text = z.string();
const version = { version: { description: "The version, or `active`.", example: "1.0.0" } };
const ifMatch = {
  description: "The edit that was read, as its ETag header gave it.",
  example: `"1"`,
};
const etag = { etag: "The edit, for If-Match." };

const operationsOf = ({ path, tag, id, text: example, actions }: Kind): Operations => ({
  [`GET ${path}`]: {
    id: `list${id}`,
    tag,
    summary: "List versions, the newest first",
    access: { action: actions.read },
    query: pages,
    answers: { 200: { description: "A page.", schema: documentPage } },
  },
  [`POST ${path}`]: {
    id: `create${id}`,
    tag,
    summary: "Keep a new version as a draft",
    description: "The text names its version. The same text again is answered with 200.",
    access: { action: actions.draft },
    query: remarks,
    body: { schema: text, example, yaml: true },
    answers: {
      201: { description: "The draft.", schema: document, headers: { ...etag, location: "Where it is." } },
      200: { description: "It was there, with the same text.", schema: document, headers: etag },
    },
    refuses: ["INVALID_STATE", "VERSION_CONFLICT"],
    repeated: "key",
  },
  [`GET ${path}/:version`]: {
    id: `get${id}`,
    tag,
    summary: "Read a version, or the active one",
    access: { action: actions.read },
    path: version,
    answers: { 200: { description: "With its text.", schema: document, headers: etag } },
    refuses: ["NOT_FOUND"],
  },
  [`PUT ${path}/:version`]: {
    id: `update${id}`,
    tag,
    summary: "Change a draft",
    access: { action: actions.draft },
    path: version,
    query: remarks,
    headers: { "If-Match": { ...ifMatch, required: true } },
    body: { schema: text, example: `${example}# Read by the operators on Monday.\n`, yaml: true },
    answers: { 200: { description: "The draft as it is now.", schema: document, headers: etag } },
    refuses: ["NOT_FOUND", "VERSION_CONFLICT", "INVALID_STATE"],
  },
  [`DELETE ${path}/:version`]: {
    id: `discard${id}`,
    tag,
    summary: "Discard a draft",
    access: { action: actions.draft },
    path: version,
    headers: { "If-Match": { ...ifMatch, required: true } },
    answers: { 204: { description: "It is gone." } },
    refuses: ["NOT_FOUND", "VERSION_CONFLICT", "INVALID_STATE"],
  },
  [`POST ${path}/:version/publish`]: {
    id: `publish${id}`,
    tag,
    summary: "Make a version the active one",
    access: { action: actions.publish },
    path: version,
    headers: { "If-Match": { ...ifMatch, required: false } },
    body: { schema: publication, example: { note: "As agreed." }, optional: true },
    answers: { 200: { description: "It is active.", schema: document, headers: etag } },
    refuses: ["NOT_FOUND", "VERSION_CONFLICT", "INVALID_STATE"],
    repeated: "key",
  },
  [`POST ${path}/check`]: {
    id: `check${id}`,
    tag,
    summary: "Judge a text without keeping it",
    access: { action: actions.read },
    body: { schema: text, example, yaml: true },
    answers: { 200: { description: "Its faults, each with its line.", schema: documentCheck } },
    repeated: { safeBecause: "it changes nothing" },
  },
});

export const documentOperations: Operations = {
  "POST /v1/routing-policies/:version/simulate": {
    id: "simulateRoutingPolicy",
    tag: "Routing policies",
    summary: "Take recorded decisions again under this version",
    description:
      "The newest dispatch decisions on record, on the facts of their moments: which would go elsewhere, and why. Nothing is kept.",
    access: { action: "policy.read" },
    path: version,
    query: simulationQuery,
    answers: { 200: { description: "What would have been otherwise.", schema: simulation } },
    refuses: ["NOT_FOUND"],
    repeated: { safeBecause: "it changes nothing" },
  },
  ...operationsOf({
    path: "/v1/routing-policies",
    tag: "Routing policies",
    id: "RoutingPolicy",
    text: policyText,
    actions: { read: "policy.read", draft: "policy.draft", publish: "policy.publish" },
  }),
  ...operationsOf({
    path: "/v1/pipeline-templates",
    tag: "Pipeline templates",
    id: "PipelineTemplates",
    text: templatesText,
    actions: { read: "template.read", draft: "template.draft", publish: "template.publish" },
  }),
};
