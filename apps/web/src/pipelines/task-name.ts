type Named = {
  readonly pipelineId: string;
  readonly sourceTaskId: string | null;
  readonly taskTitle: string | null;
};

/** What a person knows a pipeline by; its own id where its task has no name. */
export const taskInWords = ({ pipelineId, sourceTaskId, taskTitle }: Named): string =>
  [sourceTaskId, taskTitle].filter(Boolean).join(" ") || pipelineId;
