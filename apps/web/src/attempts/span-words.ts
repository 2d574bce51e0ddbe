type Named = {
  readonly name: string;
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly attributes: Readonly<Record<string, unknown>>;
};

/** `stage implement`, `agent execution 2`, `tool call grep`: the name, and what tells it from its like. */
export function spanInWords({ name, stageId, attemptNumber, attributes }: Named): string {
  const words = name.replaceAll("_", " ");
  if (name === "stage") return `stage ${stageId}`;
  const { tool } = attributes;
  if (name === "tool_call" && typeof tool === "string") return `${words} ${tool}`;
  return attemptNumber > 1 ? `${words} ${attemptNumber}` : words;
}
