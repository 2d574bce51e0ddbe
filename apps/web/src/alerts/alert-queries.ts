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
  });
