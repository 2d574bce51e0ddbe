import { type DocumentKind, documentKinds, type DocumentOf, type Fault, readDocument } from "@signalbox/core";
import { type Document, parseDocument } from "yaml";

export type DevText = { readonly kind: DocumentKind; readonly version: string; readonly text: string };
type SoftDeadlines = ReadonlyMap<string, number>;

/** The highest that a policy may say: so many failures do not happen on one machine. */
const NEVER_OPENS = 10_000;

/**
 * A2A 3.4 and 4.7: a dev session has no circuit breaker, and its deadlines warn. What differs from the file stands in the
 * text itself, under a version that says so, so that the record tells what was in force.
 */
function devText(kind: DocumentKind, text: string): DevText {
  const document = parseDocument(text);
  soften[kind](document);
  const path = [sections[kind], "version"];
  const version = `${String(document.getIn(path)).replace(/\+.*/, "")}+dev`;
  document.setIn(path, version);
  return { kind, version, text: document.toString() };
}

const sections: { readonly [K in DocumentKind]: string } = {
  "routing-policy": "routing_policy",
  "pipeline-templates": "pipeline_templates",
};

const soften: { readonly [K in DocumentKind]: (document: Document) => void } = {
  "routing-policy": (document) => {
    document.setIn(["routing_policy", "admission", "circuit_breaker", "error_threshold"], NEVER_OPENS);
  },
  "pipeline-templates": (document) => {
    const path = ["pipeline_templates", "templates"];
    const templates: unknown = document.getIn(path);
    const count =
      templates !== null &&
      typeof templates === "object" &&
      "items" in templates &&
      Array.isArray(templates.items)
        ? templates.items.length
        : 0;
    for (let at = 0; at < count; at += 1) document.deleteIn([...path, at, "policy", "pipeline_deadline"]);
  },
};

/** The deadlines that are taken out, by template, in milliseconds. */
const softDeadlines = ({ templates }: DocumentOf["pipeline-templates"]): SoftDeadlines =>
  new Map(
    templates.flatMap(({ templateId, policy: { pipelineDeadline } }) =>
      pipelineDeadline === undefined
        ? []
        : [[templateId, Number(pipelineDeadline.seconds) * 1_000 + pipelineDeadline.nanos / 1e6] as const],
    ),
  );

export type DevDocuments = {
  readonly texts: readonly DevText[];
  readonly deadlines: SoftDeadlines;
  readonly templateIds: readonly string[];
};
export type DocumentFaults = {
  readonly file: string;
  readonly text: string;
  readonly faults: readonly Fault[];
};

type DevFile = { readonly file: string; readonly text: string };
type DevFiles = {
  readonly "routing-policy": DevFile;
  /** A task of one stage needs none. */
  readonly "pipeline-templates"?: DevFile | undefined;
};

/** The documents, or what is wrong with them; a policy may name the packs of the folder only. */
export function readDevDocuments(
  files: DevFiles,
  known: ReadonlySet<string> | undefined,
): DevDocuments | DocumentFaults[] {
  const policy = readDocument("routing-policy", files["routing-policy"].text, { known });
  const stages = files["pipeline-templates"];
  if (stages === undefined) {
    if (policy.kind !== "valid") return [{ ...files["routing-policy"], faults: policy.faults }];
    const texts = [devText("routing-policy", files["routing-policy"].text)];
    return { texts, deadlines: new Map(), templateIds: [] };
  }
  const templates = readDocument("pipeline-templates", stages.text);
  if (policy.kind === "valid" && templates.kind === "valid") {
    return {
      texts: documentKinds.map((kind) =>
        devText(kind, { ...files, "pipeline-templates": stages }[kind].text),
      ),
      deadlines: softDeadlines(templates.document),
      templateIds: templates.document.templates.map(({ templateId }) => templateId),
    };
  }
  return [
    ...(policy.kind === "valid" ? [] : [{ ...files["routing-policy"], faults: policy.faults }]),
    ...(templates.kind === "valid" ? [] : [{ ...stages, faults: templates.faults }]),
  ];
}
