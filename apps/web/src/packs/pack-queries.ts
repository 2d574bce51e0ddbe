import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { endpoints, type PackVersion } from "../paths.ts";
import { fetchJson } from "../problem/fetch-json.ts";
import { client } from "../trpc.ts";

type Outputs = inferRouterOutputs<AppRouter>["packs"];
export type PackSummary = Outputs["list"]["packs"][number];
export type PackView = Outputs["get"];

/** Every list of packs, whatever was searched for. */
export const packsKey = ["packs", "pages"];

const pageLength = 50;

export function packPages(query?: string) {
  const input = { limit: pageLength, ...(query !== undefined && { query }) };
  return infiniteQueryOptions({
    queryKey: [...packsKey, input],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.packs.list.query({ ...input, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Of the packs whose id holds this, the newest versions first. */
export const versionsNamed = (query: string) =>
  queryOptions({
    queryKey: ["packs", "named", query],
    queryFn: async ({ signal }) =>
      (await client.packs.list.query({ limit: pageLength, query }, { signal })).packs,
  });

export const onePack = ({ packId, packVersion }: PackVersion) =>
  queryOptions({
    queryKey: ["packs", "one", packId, packVersion],
    queryFn: ({ signal }) => client.packs.get.query({ packId, packVersion }, { signal }),
  });

/** Exactly what a program is answered with, so that what is copied from the page can be sent back. */
export const packResource = (pack: PackVersion) => {
  const url = endpoints.pack(pack);
  return queryOptions({ queryKey: [url], queryFn: ({ signal }) => fetchJson(url, { signal }) });
};
