import { refresh } from "../live/use-fresh.ts";
import { useTopicBatch } from "../live/use-topic-batch.ts";
import { queryClient } from "../trpc.ts";
import { changeOf, moved } from "./apply-change.ts";
import { onePipeline } from "./pipeline-queries.ts";

/** Statuses move with the event that tells of them; dispatches, failures and budgets follow with the next reading. */
export function useLivePipeline(pipelineId: string): void {
  const { queryKey } = onePipeline(pipelineId);
  useTopicBatch(`pipeline:${pipelineId}`, (messages) => {
    const changes = messages.flatMap((message) =>
      message.type === "event" ? (changeOf(message) ?? []) : [],
    );
    queryClient.setQueryData(queryKey, (pipeline) => pipeline && changes.reduce(moved, pipeline));
    const isOld = messages.some(
      (message) => message.type === "started" || !message.kind.endsWith(".reported"),
    );
    if (isOld) refresh(queryKey);
  });
}
