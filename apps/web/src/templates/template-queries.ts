import { queryOptions } from "@tanstack/react-query";
import type { StoredDocument } from "../documents/document-queries.ts";
import { client } from "../trpc.ts";

export const kind = "pipeline-templates";

/** The version, or the active one: null where none was published yet. */
export const shownTemplates = (version?: string) =>
  queryOptions({
    queryKey: ["documents", kind, "shown", version ?? "active"],
    queryFn: ({ signal }): Promise<StoredDocument | null> =>
      version === undefined
        ? client.documents.active.query({ kind }, { signal })
        : client.documents.get.query({ kind, version }, { signal }),
  });
