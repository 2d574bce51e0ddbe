import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { client, queryClient } from "../trpc.ts";
import { type DocumentKind, lookAgainAtDocuments, type StoredDocument } from "./document-queries.ts";
import { useDocumentNews } from "./use-document-news.ts";

/** Removes a draft as it was read; one that somebody edited since stays. */
export const useDiscard = (kind: DocumentKind, onDiscarded: () => Promise<void>) =>
  useOneAtATime({
    mutationFn: ({ version, edit }: Pick<StoredDocument, "version" | "edit">) =>
      client.documents.discard.mutate({ kind, version, edit }),
    onSuccess: async (_, { version }) => {
      await onDiscarded();
      // The way back would show it from memory.
      queryClient.removeQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === "documents" && queryKey[1] === kind && queryKey.at(-1) === version,
      });
    },
    onSettled: () => lookAgainAtDocuments(kind),
  });

/** Whether the version that is looked at was discarded meanwhile: what was read of it would stand there for ever. */
export function useDiscardedNews(kind: DocumentKind, version: string): boolean {
  const [discarded, setDiscarded] = useState<string>();
  useDocumentNews(kind, (heard) => {
    if (heard.what === "discarded") setDiscarded(heard.version);
    // It may be drafted anew under the same version.
    if (heard.what === "drafted") setDiscarded((before) => (before === heard.version ? undefined : before));
  });
  return discarded === version;
}
