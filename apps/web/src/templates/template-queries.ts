import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client, queryClient } from "../trpc.ts";

const kind = "pipeline-templates";
const key = ["documents", kind];

export type TemplatesVersion = inferRouterOutputs<AppRouter>["documents"]["get"];

/** The version, or the active one: null where none was published yet. */
export const shownTemplates = (version?: string) =>
  queryOptions({
    queryKey: [...key, "shown", version ?? "active"],
    queryFn: ({ signal }): Promise<TemplatesVersion | null> =>
      version === undefined
        ? client.documents.active.query({ kind }, { signal })
        : client.documents.get.query({ kind, version }, { signal }),
  });

export const oneVersion = (version: string) =>
  queryOptions({
    queryKey: [...key, "one", version],
    queryFn: ({ signal }) => client.documents.get.query({ kind, version }, { signal }),
  });

export const versionPages = () =>
  infiniteQueryOptions({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.documents.list.query(
        { kind, limit: 50, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const lookAgainAtTemplates = () => queryClient.invalidateQueries({ queryKey: key });
