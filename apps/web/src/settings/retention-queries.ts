import type { AppRouter } from "@signalbox/api";
import { queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client, queryClient } from "../trpc.ts";

export type Retention = inferRouterOutputs<AppRouter>["retention"]["get"];
export type Hold = Retention["holds"][number];

const key = ["retention"];

export const retention = () =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => client.retention.get.query(undefined, { signal }) });

export const lookAgainAtRetention = () => queryClient.invalidateQueries({ queryKey: key });
