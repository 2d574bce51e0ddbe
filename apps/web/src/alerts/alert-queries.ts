import type { AppRouter } from "@signalbox/api";
import { infiniteQueryOptions, type QueryFunctionContext, type QueryKey } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";

export type Condition = NonNullable<inferRouterOutputs<AppRouter>["alerts"]["list"]["conditions"]>[number];

export const alertsKey = ["alerts"];
const limit = 50;

export const alertPages = () =>
  infiniteQueryOptions({
    queryKey: alertsKey,
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.alerts.list.query({ limit, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What holds may end by the clock alone, when a breaker may be tried again, say: the stream tells nothing of that.
    refetchInterval: 60_000,
  });
