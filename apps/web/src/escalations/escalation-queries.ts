import type { AppRouter } from "@signalbox/api";
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";

type Outputs = inferRouterOutputs<AppRouter>["escalations"];
export type Escalation = Outputs["list"]["escalations"][number];
export type EscalationInFull = Outputs["get"];
export type Answer = inferRouterInputs<AppRouter>["escalations"]["resolve"];

type ListInput = NonNullable<inferRouterInputs<AppRouter>["escalations"]["list"]>;

const pageLength = 50;
const all = ["escalations"];
/** Every list of them, whatever it is narrowed to. */
export const inboxKey = [...all, "pages"];
export const oneKey = (escalationId: string) => [...all, "one", escalationId];

export const inboxPages = (search: ListInput) =>
  infiniteQueryOptions({
    queryKey: [...inboxKey, search],
    queryFn: ({ pageParam, signal }: QueryFunctionContext<QueryKey, string | null>) =>
      client.escalations.list.query(
        { ...search, limit: pageLength, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const oneEscalation = (escalationId: string) =>
  queryOptions({
    queryKey: oneKey(escalationId),
    queryFn: ({ signal }) => client.escalations.get.query({ escalationId }, { signal }),
  });

/** The attempts of its pipeline: what led to the question. */
export const attemptsOf = (pipelineId: string) =>
  queryOptions({
    queryKey: ["pipelines", "attempts-before", pipelineId],
    queryFn: ({ signal }) => client.pipelineDetail.attempts.query({ pipelineId }, { signal }),
  });

const mostTurns = 3;

/** What the attempt said last. */
export const lastTurnsOf = (dispatchId: string) =>
  queryOptions({
    queryKey: ["pipelines", "last-turns", dispatchId],
    queryFn: ({ signal }) => client.pipelineDetail.turns.query({ dispatchId, newest: mostTurns }, { signal }),
  });
