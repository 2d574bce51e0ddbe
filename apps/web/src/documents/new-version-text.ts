import { setInYaml } from "@signalbox/core/edit-yaml";
import type { DocumentKind } from "./document-queries.ts";

const roots: Readonly<Record<DocumentKind, string>> = {
  "routing-policy": "routing_policy",
  "pipeline-templates": "pipeline_templates",
};

const versionLine = /^(?<before>\s*version:\s*)(?<said>"[^"\n]*"|'[^'\n]*'|[^\s#]+)/m;

/** The same text under another version. While it is no YAML, its first line that says a version is exchanged. */
export function underVersion(kind: DocumentKind, text: string, version: string): string {
  const path = [roots[kind], "version"];
  const changed = setInYaml(text, path, version);
  if (changed !== text) return changed;
  return text.replace(versionLine, (_line, before: string) => `${before}${JSON.stringify(version)}`);
}
