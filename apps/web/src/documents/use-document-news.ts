import { useTopic } from "../live/use-topic.ts";
import { type DocumentKind, lookAgainAtDocuments } from "./document-queries.ts";

/** Reads anew what the page shows when somebody drafts, edits or publishes a document of its kind. */
export function useDocumentNews(kind: DocumentKind): void {
  useTopic("tenant", (message) => {
    const isOurs =
      message.type === "started" || (message.kind.startsWith("document.") && message.data["kind"] === kind);
    if (isOurs) void lookAgainAtDocuments(kind);
  });
}
