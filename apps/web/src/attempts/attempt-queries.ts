import type { AppRouter } from "@signalbox/api";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";
import type { Direction } from "./event-window.ts";
import { type Place, readWorkEvent, type Work } from "./work-event.ts";

type Outputs = inferRouterOutputs<AppRouter>["pipelineDetail"];
export type AttemptSummary = Outputs["attempts"]["attempts"][number];
export type Attempt = Outputs["attempt"];
export type Gate = NonNullable<Attempt["gate"]>;
export type Span = Outputs["trace"]["spans"][number];
export type Turn = Outputs["turns"]["turns"][number];

export const oneAttempt = (dispatchId: string) =>
  queryOptions({
    queryKey: ["pipelineDetail", "attempt", dispatchId],
    queryFn: ({ signal }) => client.pipelineDetail.attempt.query({ dispatchId }, { signal }),
  });

export const confidencesOf = (dispatchId: string) =>
  queryOptions({
    queryKey: ["pipelineDetail", "confidences", dispatchId],
    queryFn: ({ signal }) => client.pipelineDetail.confidences.query({ dispatchId }, { signal }),
  });

export const turnsOf = (dispatchId: string) =>
  infiniteQueryOptions({
    queryKey: ["pipelineDetail", "turns", dispatchId],
    queryFn: ({ pageParam, signal }: { pageParam: number | null; signal: AbortSignal }) =>
      client.pipelineDetail.turns.query(
        { dispatchId, ...(pageParam !== null && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ more, turns }) => (more ? (turns.at(-1)?.turnIndex ?? null) : null),
  });

export type Shown = "all" | "thoughts" | "tools" | "terminal";

const types = {
  all: undefined,
  thoughts: ["THOUGHT_STREAM"],
  tools: ["TOOL_LIFECYCLE_INVOKED", "TOOL_LIFECYCLE_COMPLETED"],
  terminal: ["SANDBOX_PULSE"],
} as const;

/** Whether the server would give this where only some of it is asked for. */
export const isShown = (shown: Shown, { kind }: Work): boolean => {
  if (shown === "thoughts") return kind === "thought";
  if (shown === "tools") return kind === "tool-begun" || kind === "tool-ended";
  return shown === "all" || kind === "line";
};

/** Not kept by react-query: the log holds a window over them, and moves it. */
export async function readEvents(
  dispatchId: string,
  wanted: { direction: Direction; than?: Place | undefined; shown: Shown },
  signal: AbortSignal,
) {
  const { direction, than, shown } = wanted;
  const only = types[shown];
  const { events, more } = await client.pipelineDetail.events.query(
    {
      dispatchId,
      direction,
      ...(than && { than: { turnIndex: than.turnIndex, sequence: than.sequence } }),
      ...(only && { types: [...only] }),
    },
    { signal },
  );
  return { more, events: events.flatMap(({ event }) => readWorkEvent(event) ?? []) };
}
