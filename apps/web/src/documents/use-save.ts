import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { type DocumentKind, lookAgainAtDocuments, type StoredDocument } from "./document-queries.ts";
import type { WorkingDraft } from "./stored-draft.ts";

type Saving = {
  draft: WorkingDraft;
  /** The version that the text says; undefined while it says none. */
  says: string | undefined;
  note?: string;
};

/** Keeps the text as a draft, unless somebody else was first: then theirs is fetched, for both to be shown. */
export function useSave(kind: DocumentKind) {
  const [theirs, setTheirs] = useState<StoredDocument>();
  const save = useOneAtATime({
    mutationFn: async ({ draft: { text, base }, says, note }: Saving) => {
      const remark = note === undefined || note === "" ? {} : { note };
      try {
        // Under another version it is another draft.
        if (base.stored !== null && base.stored.version === says)
          return await client.documents.edit.mutate({ kind, ...base.stored, text, ...remark });
        return (await client.documents.draft.mutate({ kind, text, ...remark })).document;
      } catch (error) {
        const { code } = problemOf(error);
        if (code === "NOT_FOUND" && base.stored !== null) return undefined;
        if (says !== undefined && (code === "VERSION_CONFLICT" || code === "INVALID_STATE")) {
          const found = await client.documents.get.query({ kind, version: says });
          if (found.status === "draft") {
            setTheirs(found);
            return undefined;
          }
          // Its draft is closed: the editor tells of it (`useDraftNews`), and of the ways on.
          if (base.stored?.version === says) return undefined;
        }
        throw error;
      }
    },
    onSettled: () => lookAgainAtDocuments(kind),
  });
  return { save, theirs, settle: () => setTheirs(undefined), meet: setTheirs };
}
