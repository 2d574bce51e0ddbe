import { queryOptions } from "@tanstack/react-query";
import { client } from "../trpc.ts";

/* What the loaders read, which come with the shell: nothing else is in this file. */

export const attemptsOf = (pipelineId: string) =>
  queryOptions({
    queryKey: ["pipelineDetail", "attempts", pipelineId],
    queryFn: ({ signal }) => client.pipelineDetail.attempts.query({ pipelineId }, { signal }),
  });

export const traceOf = (pipelineId: string) =>
  queryOptions({
    queryKey: ["pipelineDetail", "trace", pipelineId],
    queryFn: ({ signal }) => client.pipelineDetail.trace.query({ pipelineId }, { signal }),
  });
