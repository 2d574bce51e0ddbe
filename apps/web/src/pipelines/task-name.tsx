import type { PipelineSummary } from "./pipeline-queries.ts";

type Named = Pick<PipelineSummary, "pipelineId" | "sourceTaskId" | "taskTitle">;

/** In a list two lines of a title are enough: the whole is on the pipeline's page, and below the pointer. */
export function TaskName({ pipelineId, sourceTaskId, taskTitle }: Named) {
  const id = sourceTaskId || (taskTitle === null ? pipelineId : "");
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
      {id !== "" && <span className="anywhere font-mono text-[0.8125rem] font-semibold">{id}</span>}{" "}
      {taskTitle !== null && (
        <span className="clamped-2 font-medium" title={taskTitle}>
          {taskTitle}
        </span>
      )}
    </span>
  );
}
