import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";
import type { SignalScope } from "./learning-search.ts";

type Outputs = inferRouterOutputs<AppRouter>["learning"];
export type Proposal = Outputs["proposals"]["proposals"][number];
export type ProposalInFull = Outputs["proposal"];
export type Aggregate = Outputs["aggregates"]["aggregates"][number];
export type RatedTask = Outputs["results"]["results"][number];
export type GivenRating = RatedTask["ratings"][number];

/** All that is learnt: any news of it makes all of it old. */
export const learningKey = ["learning"];
const limit = 50;
type Paging = QueryFunctionContext<QueryKey, string | null>;
const first: string | null = null;
const from = (cursor: string | null) => ({ limit, ...(cursor !== null && { cursor }) });

export const proposalPages = (open: boolean) =>
  infiniteQueryOptions({
    queryKey: [...learningKey, "proposals", open],
    queryFn: ({ pageParam, signal }: Paging) =>
      client.learning.proposals.query({ ...from(pageParam), open }, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const oneProposal = (proposalId: string) =>
  queryOptions({
    queryKey: [...learningKey, "proposal", proposalId],
    queryFn: ({ signal }) => client.learning.proposal.query({ proposalId }, { signal }),
  });

export const playbooks = () =>
  queryOptions({
    queryKey: [...learningKey, "playbooks"],
    queryFn: ({ signal }) => client.learning.playbooks.query(undefined, { signal }),
  });

export const recordPages = () =>
  infiniteQueryOptions({
    queryKey: [...learningKey, "records"],
    queryFn: ({ pageParam, signal }: Paging) => client.learning.records.query(from(pageParam), { signal }),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const aggregatePages = (by: SignalScope, capability?: string) =>
  infiniteQueryOptions({
    queryKey: [...learningKey, "aggregates", by, capability ?? ""],
    queryFn: ({ pageParam, signal }: Paging) =>
      client.learning.aggregates.query(
        { ...from(pageParam), by, ...(capability !== undefined && { capability }) },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const resultPages = () =>
  infiniteQueryOptions({
    queryKey: [...learningKey, "results"],
    queryFn: ({ pageParam, signal }: Paging) => client.learning.results.query(from(pageParam), { signal }),
    initialPageParam: first,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Null where the pipeline is no task of SAP. */
export const resultOfPipeline = (pipelineId: string) =>
  queryOptions({
    queryKey: [...learningKey, "of-pipeline", pipelineId],
    queryFn: ({ signal }) => client.learning.ofPipeline.query({ pipelineId }, { signal }),
  });
