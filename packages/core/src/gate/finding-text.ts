import { EvidenceTypeSchema, type EvidenceType } from "@signalbox/contracts";
import type { Check, Finding, Note, PathFault } from "./finding.ts";

const LONGEST_EVIDENCE = 4_000;
const LONGEST_QUOTE = 160;

const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…` : text);

const typeName = (type: EvidenceType): string =>
  (EvidenceTypeSchema.value[type]?.localName ?? "unknown").toLowerCase();

const faultText: Readonly<Record<PathFault, string>> = {
  empty: "is empty",
  absolute: "is absolute; paths are relative to the repository",
  outside: "leads out of the repository",
  characters: "holds a backslash or a control character",
  "too-long": "is longer than 4,096 characters",
};

/** The one place where findings become words, for the audit, the page and the next attempt's feedback. */
export function findingText(finding: Finding): string {
  switch (finding.reason) {
    case "no-evidence":
      return finding.said === ""
        ? "a success carries no evidence"
        : `a success carries no evidence, only a reason: ${quoted(finding.said)}`;
    case "nothing-passed":
      return "no item of the evidence passed";
    case "command-not-proved":
      return `no ${typeName(finding.type)} evidence for ${quoted(finding.command)}, which the contract names`;
    case "command-failed":
      return `${quoted(finding.command)} failed (${typeName(finding.type)})`;
    case "path-refused":
      return `the path ${quoted(finding.path)} ${faultText[finding.fault]}`;
    case "path-unexpected":
      return `${quoted(finding.path)} is not among the files to ${finding.action}`;
    case "patch-too-large":
      return finding.counted === "lines"
        ? `${finding.lines} lines changed, over the limit of ${finding.limit}`
        : `${finding.lines} files changed, each by a line at least, over the limit of ${finding.limit} lines`;
    case "breaking-change":
      return `a breaking change that the contract does not declare: ${quoted(finding.sign)}`;
    case "prohibited-action":
      return `the prohibited action ${quoted(finding.action)} was taken (${finding.seenIn})`;
    case "denied-tool":
      return `the denied tool ${quoted(finding.tool)} was used`;
    case "tool-not-allowed":
      return `the tool ${quoted(finding.tool)} was used and is not on the list of those allowed`;
    case "too-many-steps":
      return `${finding.steps} steps without a person, over the limit of ${finding.limit}`;
    case "secret-in-output":
      return `a secret stood at ${finding.path} (${finding.rule}); it was masked, and has to be revoked`;
  }
}

function noteText(note: Note): string {
  switch (note.note) {
    case "not-required":
      return `not required: the contract names no ${note.what}`;
    case "not-reported":
      return `${note.what}: not reported, so not checked`;
    case "not-restricted":
      return "the contract names no expected files, so any path within the repository is in scope";
    case "failure-explained":
      return `no evidence, with a reason: ${quoted(note.said)}`;
    case "masked":
      return `masked at ${note.path}: ${note.rule}`;
  }
}

/** A check's own evidence: what was found, else what was seen, and what could not be. */
export function evidenceText({ findings, notes, seen }: Check): string {
  const said = findings.length === 0 ? seen : findings.map(findingText);
  const parts = notes.length === 0 ? said : said.concat(notes.map(noteText));
  const text = parts.join("; ");
  if (text.length <= LONGEST_EVIDENCE) return text;
  return `${text.slice(0, LONGEST_EVIDENCE).toWellFormed()}… (${parts.length} points in all)`;
}
