import type { DocumentCheck, DocumentPage, DocumentView } from "@signalbox/engine";

/** A version in a list, without its text. */
export const documentVersionView = (document: DocumentPage["documents"][number]) => ({
  version: document.version,
  status: document.status,
  edit: document.edit,
  note: document.note,
  createdAt: document.createdAt.toISOString(),
  createdBy: document.createdBy,
  publishedAt: document.publishedAt?.toISOString() ?? null,
  publishedBy: document.publishedBy,
  retiredAt: document.retiredAt?.toISOString() ?? null,
});

/** A version with its text, as its author wrote it. */
export const documentView = ({ text, ...document }: DocumentView) => ({
  ...documentVersionView(document),
  text,
});

/** What is said of a text that is not kept. */
export const checkView = ({ version, faults }: DocumentCheck) => ({
  valid: faults.length === 0,
  version: version ?? null,
  faults,
});
