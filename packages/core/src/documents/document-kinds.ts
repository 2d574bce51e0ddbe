import { faultAt, type Parsed } from "./fault.ts";
import { readDocumentText } from "./document-text.ts";
import { findSecrets, findUnkeepable } from "./keepable-text.ts";
import {
  parsePipelineTemplates,
  parsePublishedTemplates,
  type PipelineTemplates,
} from "./pipeline-templates.ts";
import type { KnownPacks } from "./routing-policy-checks.ts";
import { parsePublishedPolicy, parseRoutingPolicy, type RoutingPolicy } from "./routing-policy.ts";

/** The documents that have versions and a life, and what each is when it is read. */
export type DocumentOf = { "routing-policy": RoutingPolicy; "pipeline-templates": PipelineTemplates };
export type DocumentKind = keyof DocumentOf;
export const documentKinds = ["routing-policy", "pipeline-templates"] as const satisfies DocumentKind[];

const readers: { [K in DocumentKind]: (text: string, known?: KnownPacks) => Parsed<DocumentOf[K]> } = {
  "routing-policy": parseRoutingPolicy,
  "pipeline-templates": parsePipelineTemplates,
};

const publishedReaders: { [K in DocumentKind]: (text: string) => Parsed<DocumentOf[K]> } = {
  "routing-policy": parsePublishedPolicy,
  "pipeline-templates": parsePublishedTemplates,
};

const sections: { [K in DocumentKind]: string } = {
  "routing-policy": "routing_policy",
  "pipeline-templates": "pipeline_templates",
};

export const documentNouns: { readonly [K in DocumentKind]: string } = {
  "routing-policy": "routing policy",
  "pipeline-templates": "pipeline templates",
};

/** What is expected of a text beyond its own rules. */
export type DocumentExpectation = {
  /** The registered packs; undefined where packs may still come, as in a draft. */
  known?: KnownPacks | undefined;
  /** The version that it must say. */
  version?: string | undefined;
};

/**
 * Text → document, or every fault. DOC-26: what holds a secret is judged no further, for the faults of what is read on
 * quote it.
 */
export function readDocument<K extends DocumentKind>(
  kind: K,
  text: string,
  { known, version }: DocumentExpectation = {},
): Parsed<DocumentOf[K]> {
  const unkeepable = findUnkeepable(text);
  if (unkeepable.length > 0) return { kind: "refused", faults: unkeepable };
  const secrets = findSecrets(text);
  if (secrets.length > 0) return { kind: "refused", faults: secrets };
  const read: Parsed<DocumentOf[K]> = readers[kind](text, known);
  if (read.kind === "refused" || version === undefined || read.document.version === version) return read;
  return { kind: "refused", faults: [otherVersion(kind, text, read.document.version, version)] };
}

/**
 * DOC-30: what was published stays readable, whatever a later release takes for a secret or will not keep: it was judged
 * when it was drafted and published, and a policy that stopped being readable would stop its tenant.
 */
export const readPublishedDocument = <K extends DocumentKind>(kind: K, text: string): Parsed<DocumentOf[K]> =>
  publishedReaders[kind](text);

function otherVersion(kind: DocumentKind, text: string, says: string, version: string) {
  const path = [sections[kind], "version"];
  const source = readDocumentText(text);
  const place = source.kind === "read" ? source.document.place(path, "value") : { line: 1, column: 1 };
  const message = `is "${says}"; this is version ${version}, and another version is another draft`;
  return faultAt(place, { path, rule: "version", message });
}
