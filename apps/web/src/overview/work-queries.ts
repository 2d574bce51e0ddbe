import type { AppRouter } from "@signalbox/api";
import { queryOptions, type QueryKey } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { LiveMessage } from "../live/stream-client.ts";
import { packsKey } from "../packs/pack-queries.ts";
import { endedPipelines, newestKey, newestPipelines } from "../pipelines/pipeline-queries.ts";
import { waiting } from "../escalations/waiting-query.ts";
import { client, queryClient } from "../trpc.ts";

export type Question = inferRouterOutputs<AppRouter>["escalations"]["list"]["escalations"][number];

/** Of each kind: the whole stands a link away. */
export const shown = 5;
const questionsKey = ["escalations", "overview"];

/** As the inbox sorts: who waits longest stands first, and what is asked now does not push them off the page. */
export const openQuestions = () =>
  queryOptions({
    queryKey: questionsKey,
    queryFn: ({ signal }) =>
      client.escalations.list.query({ open: true, order: "oldest", limit: shown }, { signal }),
  });

export const loadWork = () =>
  Promise.all([
    queryClient.ensureQueryData(newestPipelines("RUNNING", shown)),
    queryClient.ensureQueryData(newestPipelines("PAUSED", shown)),
    queryClient.ensureQueryData(newestPipelines(undefined, 1)),
    queryClient.ensureQueryData(endedPipelines(shown)),
    queryClient.ensureQueryData(openQuestions()),
    queryClient.ensureQueryData(waiting()),
  ]);

/** Which of the overview's readings a message makes old. */
export function staleBy(message: LiveMessage): readonly QueryKey[] {
  if (message.type === "started") return [packsKey, newestKey, questionsKey];
  if (message.kind === "pipeline.changed") return [newestKey];
  if (message.kind === "pack.registered") return [packsKey];
  return message.kind.startsWith("escalation.") ? [questionsKey] : [];
}
