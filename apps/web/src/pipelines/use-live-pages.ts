import { client, queryClient } from "../trpc.ts";
import { useTopicBatch } from "../live/use-topic-batch.ts";
import { changeOf, rowsMoved, withNewest } from "./apply-change.ts";
import { pipelinePages, type PipelinePages, type PipelineSearch } from "./pipeline-queries.ts";

const newest = 20;

/** Ten thousand rows are not read anew for one that moved: it is moved in its place, and what is new is put before it. */
export function useLivePages(search: PipelineSearch): void {
  const { queryKey } = pipelinePages(search);
  useTopicBatch("tenant", (messages) => {
    if (messages.some(({ type }) => type === "started")) {
      void queryClient.invalidateQueries({ queryKey });
      return;
    }
    const changes = messages.flatMap((message) =>
      message.type === "event" ? (changeOf(message) ?? []) : [],
    );
    const pages = queryClient.getQueryData<PipelinePages>(queryKey);
    if (pages === undefined || changes.length === 0) return;
    const after = rowsMoved(pages, changes);
    queryClient.setQueryData<PipelinePages>(queryKey, after.pages);
    if (after.unknown) void readNewest(search);
  });
}

async function readNewest(search: PipelineSearch): Promise<void> {
  const { queryKey } = pipelinePages(search);
  try {
    const { pipelines } = await client.pipelines.list.query({ ...search, limit: newest });
    queryClient.setQueryData<PipelinePages>(queryKey, (pages) => pages && withNewest(pages, pipelines));
  } catch {
    // The next message, or the line's return, reads it again.
  }
}
