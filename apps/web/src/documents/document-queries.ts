import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { client, queryClient } from "../trpc.ts";

type Outputs = inferRouterOutputs<AppRouter>["documents"];
export type DocumentKind = inferRouterInputs<AppRouter>["documents"]["list"]["kind"];
export type DocumentVersion = Outputs["list"]["versions"][number];
export type StoredDocument = Outputs["get"];
export type DocumentCheck = Outputs["check"];
export type DocumentFault = DocumentCheck["faults"][number];
export type DocumentFinding = DocumentCheck["findings"][number];
export type Simulation = Outputs["simulate"];

const documentsKey = (kind: DocumentKind) => ["documents", kind];

export const versionPages = (kind: DocumentKind) =>
  infiniteQueryOptions({
    queryKey: [...documentsKey(kind), "pages"],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.documents.list.query(
        { kind, limit: 50, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const oneVersion = (kind: DocumentKind, version: string) =>
  queryOptions({
    queryKey: [...documentsKey(kind), "one", version],
    queryFn: ({ signal }) => client.documents.get.query({ kind, version }, { signal }),
  });

/** Null where none was published yet. */
export const activeVersion = (kind: DocumentKind) =>
  queryOptions({
    queryKey: [...documentsKey(kind), "active"],
    queryFn: ({ signal }) => client.documents.active.query({ kind }, { signal }),
  });

export const lookAgainAtDocuments = (kind: DocumentKind) =>
  queryClient.invalidateQueries({ queryKey: documentsKey(kind) });
