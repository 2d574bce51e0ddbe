import type { AppRouter } from "@signalbox/api";
import { queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { endpoints } from "../paths.ts";
import { fetchJson } from "../problem/fetch-json.ts";
import { client, queryClient } from "../trpc.ts";

export type Account = inferRouterOutputs<AppRouter>["session"]["account"];

export const ownAccount = () =>
  queryOptions({
    queryKey: ["session", "account"],
    queryFn: ({ signal }) => client.session.account.query(undefined, { signal }),
  });
export const ownSessions = () =>
  queryOptions({
    queryKey: ["session", "list"],
    queryFn: ({ signal }) => client.session.list.query(undefined, { signal }),
  });
export const waysIn = () =>
  queryOptions({
    queryKey: ["session", "ways"],
    queryFn: ({ signal }) => client.session.ways.query(undefined, { signal }),
  });

export type AccountWish = { name?: string; email?: string; password?: string; currentPassword?: string };

/** Over REST, since a new password renews the session's cookie, which tRPC cannot set. */
export async function changeAccount(wish: AccountWish): Promise<void> {
  await fetchJson(endpoints.account, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wish),
  });
  await queryClient.invalidateQueries();
}

/** Whether somebody could come back without another link. */
export const canComeBack = ({ hasPassword, hasIdentity }: Account): boolean => hasPassword || hasIdentity;
