import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { type DocumentKind, lookAgainAtDocuments } from "./document-queries.ts";

const rows = {
  "routing-policy": { draft: "policy.draft", publish: "policy.publish" },
  "pipeline-templates": { draft: "template.draft", publish: "template.publish" },
} as const;

/** Why somebody may not, in the permission table's words; undefined where they may. */
export function useRefusal(kind: DocumentKind, doing: "draft" | "publish"): string | undefined {
  const { data: session } = useSuspenseQuery(currentSession());
  if (session === null) return "Nobody is signed in.";
  const decision = may(session, rows[kind][doing], undefined);
  return decision.allowed ? undefined : `${decision.reason}.`;
}

export type Publication = {
  version: string;
  edit?: number;
  /** The active version that was seen; null where there was none. */
  replaces: string | null;
  note: string;
};

/** Publishes a draft; of a retired version it is the roll back. */
export const usePublish = (kind: DocumentKind) =>
  useOneAtATime({
    mutationFn: ({ note, ...seen }: Publication) =>
      client.documents.publish.mutate({ kind, ...seen, ...(note === "" ? {} : { note }) }),
    onSettled: () => lookAgainAtDocuments(kind),
  });
