import type { AppRouter } from "@signalbox/api";
import { infiniteQueryOptions, type QueryFunctionContext, type QueryKey } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";

export type Instance = inferRouterOutputs<AppRouter>["instances"]["list"]["instances"][number];

const pageLength = 100;
/** Every list of them, whatever pack it is narrowed to. */
export const instancesKey = ["instances"];

export function instancePages(packId?: string) {
  const search = { limit: pageLength, ...(packId !== undefined && { packId }) };
  return infiniteQueryOptions({
    queryKey: [...instancesKey, search],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.instances.list.query(
        { ...search, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
