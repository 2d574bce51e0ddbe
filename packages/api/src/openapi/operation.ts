import type { DescMessage } from "@bufbuild/protobuf";
import type { ErrorCode } from "@signalbox/contracts";
import type { Action } from "@signalbox/core";
import type { z } from "zod";

/** A message of the contract in its JSON mapping, or what a zod schema says. */
export type BodySchema = DescMessage | z.ZodType;

type Parameter = { readonly description: string; readonly example: string };

export type RequestBody = {
  readonly schema: BodySchema;
  readonly example: unknown;
  /** Where it may be left out. */
  readonly optional?: true;
  /** Of a document that is sent as YAML, or as JSON, which YAML can hold. */
  readonly yaml?: true;
  /** Of one that is neither. */
  readonly mediaType?: string;
};

export type Answer = {
  readonly description: string;
  /** Absent: an answer without a body. */
  readonly schema?: BodySchema;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Who is let in: by a row of the permission table, anybody who is known, or everybody. */
type Access = { readonly action: Action } | "known" | "open";

/** What stands under one method of one path: the document is made of it, and tests hold the server to it. */
export type Operation = {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly path?: Readonly<Record<string, Parameter>>;
  /** The schema that the route itself reads its query with. */
  readonly query?: z.ZodObject;
  readonly exampleQuery?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, Parameter & { readonly required: boolean }>>;
  readonly body?: RequestBody;
  /** By status; the first is what the example gets. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals of its own, beside those that every operation has. */
  readonly refuses?: readonly ErrorCode[];
  /** D22. A POST takes a key, or says why it needs none. */
  readonly repeated?: "key" | { readonly safeBecause: string };
};

/** By "METHOD path", as the router has it. */
export type Operations = Readonly<Record<string, Operation>>;

export const tags = {
  Packs: "Agents' identities and contracts, immutable by version.",
  Agents: "What a running agent asks for: heartbeats, work, renewals, results.",
  Tasks: "What somebody asks for.",
  Attachments: "What envelopes name and do not hold: docs/attachments.md.",
  MCP: "The Model Context Protocol, for clients that speak it.",
  SAP: "Tasks and results of the Standard Agent Protocol V2.0: docs/sap.md.",
  Learning: "What people say of results, what is learnt of it, and what becomes of that: docs/sap.md.",
  Pipelines: "The execution of a task, and what a person may do about it.",
  Escalations: "Questions to a person.",
  Instances: "Running processes of packs.",
  Alerts: "What needs somebody's eye.",
  "Routing policies": "Who may do what: versioned documents, one of them active.",
  "Pipeline templates": "Stages and edges: versioned documents, one of them active.",
  Audit: "The record of decisions.",
  Session: "Signing in and out.",
  Account: "Oneself: who one is, how one signs in, and where one is signed in.",
  Members: "The people of a tenant, and their roles.",
  Keys: "Credentials of programs and agents.",
  Process: "For whoever keeps the process running.",
} as const satisfies Record<string, string>;

export type Tag = keyof typeof tags;
