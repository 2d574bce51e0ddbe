type Named = { readonly name: string; readonly stageId: string; readonly attemptNumber: number };

/** `stage implement`, `agent execution 2`: the name, and what tells it from its like. */
export function spanInWords({ name, stageId, attemptNumber }: Named): string {
  const words = name.replaceAll("_", " ");
  if (name === "stage") return `stage ${stageId}`;
  return attemptNumber > 1 ? `${words} ${attemptNumber}` : words;
}
