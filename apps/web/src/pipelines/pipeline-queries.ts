import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type InfiniteData,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { isNotFound } from "../problem/problem.ts";
import { client } from "../trpc.ts";

type Outputs = inferRouterOutputs<AppRouter>["pipelines"];
type ListInput = Exclude<inferRouterInputs<AppRouter>["pipelines"]["list"], void | undefined>;
export type PipelineSummary = Outputs["list"]["pipelines"][number];
export type Pipeline = Outputs["get"];
export type Stage = Pipeline["stages"][number];
export type PipelinePages = InfiniteData<Outputs["list"], string | null>;
export type PipelineSearch = Pick<ListInput, "status" | "packId" | "q" | "from" | "to">;

const pageLength = 100;

const pipelinesKey = ["pipelines"];

export const pipelinePages = (search: PipelineSearch) =>
  infiniteQueryOptions({
    queryKey: [...pipelinesKey, "pages", search],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.pipelines.list.query(
        { ...search, limit: pageLength, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const newestKey = [...pipelinesKey, "newest"];

/** The newest few that have a status, for the overview. */
export const newestPipelines = (status: "RUNNING" | "PAUSED" | undefined, limit: number) =>
  queryOptions({
    queryKey: [...newestKey, status ?? "any", limit],
    queryFn: ({ signal }) =>
      client.pipelines.list.query({ limit, ...(status !== undefined && { status }) }, { signal }),
  });

/** The few that came to an end last, whenever they were submitted. */
export const endedPipelines = (limit: number) =>
  queryOptions({
    queryKey: [...newestKey, "ended", limit],
    queryFn: ({ signal }) => client.pipelines.ended.query({ limit }, { signal }),
  });

export const pipelineKey = (pipelineId: string) => [...pipelinesKey, "one", pipelineId];

/** Null: this tenant has none of that id. */
export const onePipeline = (pipelineId: string) =>
  queryOptions({
    queryKey: pipelineKey(pipelineId),
    queryFn: async ({ signal }): Promise<Pipeline | null> => {
      try {
        return await client.pipelines.get.query({ pipelineId }, { signal });
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
  });
