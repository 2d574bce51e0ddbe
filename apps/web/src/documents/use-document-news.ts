import { useTopic } from "../live/use-topic.ts";
import { type DocumentKind, lookAgainAtDocuments } from "./document-queries.ts";
import { type HeardOfDocument, heardOf } from "./draft-news.ts";

/** Reads anew what the page shows when somebody drafts, edits or publishes a document of its kind. */
export function useDocumentNews(kind: DocumentKind, onHeard?: (heard: HeardOfDocument) => void): void {
  useTopic("tenant", (message) => {
    const heard = message.type === "started" ? undefined : heardOf(message, kind);
    if (message.type !== "started" && heard === undefined) return;
    if (heard !== undefined) onHeard?.(heard);
    void lookAgainAtDocuments(kind);
  });
}
