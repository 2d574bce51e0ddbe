import type { AppRouter } from "@signalbox/api";
import { queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client, queryClient } from "../trpc.ts";

export type Retention = inferRouterOutputs<AppRouter>["retention"]["get"];
export type Hold = Retention["holds"][number];

export const retentionKey = ["retention"];

export const retention = () =>
  queryOptions({
    queryKey: retentionKey,
    queryFn: ({ signal }) => client.retention.get.query(undefined, { signal }),
  });

export const lookAgainAtRetention = () => queryClient.invalidateQueries({ queryKey: retentionKey });
