import { addTemplate, type Edited, setVersion } from "./edit-template.ts";
import { nextVersion } from "../documents/next-version.ts";
import { emptyDocument, type StarterName, starterText } from "./starters.ts";
import { readTemplates } from "./template-graph.ts";
import { openText } from "./template-text.ts";

type Wanted<Version> = {
  templateId: string;
  /** What it begins as: a version, or nothing where there is none yet. */
  base: Version | null;
  /** Every version that is known, so that the new one is none of them. */
  versions: readonly string[];
  starter?: StarterName | undefined;
  name?: string | undefined;
};
type Based = { version: string; status: string; text: string };

/** What an editor opens with; undefined where the version has no such template, and none is to be begun. */
export function openingText<Version extends Based>({
  templateId,
  base,
  versions,
  starter,
  name = templateId,
}: Wanted<Version>): { text: string; draft: Version | undefined } | undefined {
  const version = nextVersion([...versions, ...(base === null ? [] : [base.version])]);
  const draft = base?.status === "draft" ? base : undefined;
  const begun = base === null ? emptyDocument(version) : base.text;
  const named = draft === undefined && base !== null ? orSame(setVersion(begun, version), begun) : begun;
  if (has(named, templateId)) return { text: named, draft };
  if (starter === undefined) return undefined;
  return { text: orSame(addTemplate(named, starterText(starter, templateId, name)), named), draft };
}

const orSame = (edited: Edited, text: string): string => (edited.kind === "edited" ? edited.text : text);

function has(text: string, templateId: string): boolean {
  const opened = openText(text);
  return opened.kind === "open" && readTemplates(opened.value).templates.some(({ id }) => id === templateId);
}
