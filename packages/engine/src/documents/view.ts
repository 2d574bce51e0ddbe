import type { DocumentVersion as Life } from "@signalbox/core";
import type { DocumentVersion, StoredDocument } from "@signalbox/db";

/** A version with its text, as its author wrote it. */
export type DocumentView = DocumentVersion & { text: string };

export function viewOf({ document, ...version }: StoredDocument): DocumentView {
  return { ...version, text: document };
}

/** What core decides on. */
export const lifeOf = ({ version, status, edit, document }: StoredDocument): Life => ({
  version,
  status,
  edit,
  text: document,
});
