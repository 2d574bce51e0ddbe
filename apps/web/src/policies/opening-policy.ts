import { setInYaml } from "@signalbox/core/edit-yaml";
import type { StoredDocument } from "../documents/document-queries.ts";
import type { WorkingDraft } from "../documents/stored-draft.ts";
import { firstPolicy, nextVersion } from "./policy-outline.ts";

export type OpenedPolicy = {
  /** What it is kept under in the browser until it is saved. */
  name: string;
  /** The draft that is written on; undefined for a new one. */
  version: string | undefined;
  initial: WorkingDraft;
};

/** What an editor opens with: a draft to go on with, or another version's text under the next version that nobody has. */
export function openingPolicy(
  asked: { version?: string; from?: string },
  named: StoredDocument | null,
  taken: readonly string[],
): OpenedPolicy {
  if (named === null) {
    const initial = { text: firstPolicy, base: { text: firstPolicy, stored: null } };
    return { name: "from nothing", version: undefined, initial };
  }
  const { text, version, edit, status } = named;
  if (status === "draft" && asked.version !== undefined)
    return { name: version, version, initial: { text, base: { text, stored: { version, edit } } } };
  const next = setInYaml(
    text,
    ["routing_policy", "version"],
    nextVersion(taken[0] ?? "1.0.0", new Set(taken)),
  );
  return {
    name: `from ${version}`,
    version: undefined,
    initial: { text: next, base: { text: next, stored: null } },
  };
}
