import type { AppRouter } from "@signalbox/api";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";

export type ActivityRead = inferRouterOutputs<AppRouter>["metrics"]["activity"];
export type Measured = ActivityRead["activity"][number];

export const activityRanges = ["hour", "day", "week"] as const;
export type ActivityRange = (typeof activityRanges)[number];
/** What the address says; the hour goes without saying. */
export type ActivitySearch = { range?: ActivityRange };

export const readActivitySearch = ({ range }: Record<string, unknown>): ActivitySearch =>
  range === "day" || range === "week" ? { range } : {};

export const activityKey = ["activity"];

export const activityIn = (range: ActivityRange) =>
  queryOptions({
    queryKey: [...activityKey, range],
    queryFn: ({ signal }) => client.metrics.activity.query({ range }, { signal }),
    placeholderData: keepPreviousData,
  });
