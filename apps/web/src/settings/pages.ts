import type { AppRouter } from "@signalbox/api";
import { infiniteQueryOptions, type QueryFunctionContext, type QueryKey } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client, queryClient } from "../trpc.ts";

type Outputs = inferRouterOutputs<AppRouter>;
export type Member = Outputs["members"]["list"]["members"][number];
export type Key = Outputs["keys"]["list"]["keys"][number];

const limit = 50;
type Context = QueryFunctionContext<QueryKey, string | null>;
const inputOf = (cursor: string | null) => ({ limit, ...(cursor !== null && { cursor }) });
const nextCursorOf = (page: { nextCursor: string | null }) => page.nextCursor;

export const membersKey = ["members", "pages"];
export const keysKey = ["keys", "pages"];

export const memberPages = () =>
  infiniteQueryOptions({
    queryKey: membersKey,
    queryFn: ({ pageParam, signal }: Context) => client.members.list.query(inputOf(pageParam), { signal }),
    initialPageParam: null,
    getNextPageParam: nextCursorOf,
  });

export const keyPages = () =>
  infiniteQueryOptions({
    queryKey: keysKey,
    queryFn: ({ pageParam, signal }: Context) => client.keys.list.query(inputOf(pageParam), { signal }),
    initialPageParam: null,
    getNextPageParam: nextCursorOf,
  });

export const lookAgainAtMembers = () => queryClient.invalidateQueries({ queryKey: membersKey });
export const lookAgainAtKeys = () => queryClient.invalidateQueries({ queryKey: keysKey });
