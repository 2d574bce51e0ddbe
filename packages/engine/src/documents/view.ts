import type { DocumentVersion as Life } from "@signalbox/core";
import type { DocumentVersion, StoredDocument } from "@signalbox/db";
import type { KeptForm } from "../once/kept-form.ts";

/** A version with its text, as its author wrote it. */
export type DocumentView = DocumentVersion & { text: string };

export function viewOf({ document, ...version }: StoredDocument): DocumentView {
  return { ...version, text: document };
}

type PrintedTimes = { createdAt: string; publishedAt: string | null; retiredAt: string | null };

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** As it was when a request was first answered (D22). */
export const documentForm: KeptForm<DocumentView> = {
  write: (view) => JSON.stringify(view),
  read(text) {
    const printed: Omit<DocumentView, keyof PrintedTimes> & PrintedTimes = JSON.parse(text);
    const { createdAt, publishedAt, retiredAt } = printed;
    return Object.assign(printed, {
      createdAt: new Date(createdAt),
      publishedAt: dateOrNull(publishedAt),
      retiredAt: dateOrNull(retiredAt),
    });
  },
};

/** What core decides on. */
export const lifeOf = ({ version, status, edit, document }: StoredDocument): Life => ({
  version,
  status,
  edit,
  text: document,
});
