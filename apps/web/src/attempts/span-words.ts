import { plainText, wordsOfName } from "../audit/payload.ts";
import { timeTaken } from "./time-taken.ts";

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

/** What was measured in milliseconds is called without them, and what the agent measured says so (TRACE-12, D19). */
export const attributeName = (name: string): string =>
  name === "claimedMs" ? "Took by the agent’s clock" : wordsOfName(name.replace(/Ms$/, ""));

type Ended = { readonly status: string; readonly attributes: Readonly<Record<string, unknown>> };

/** How it came out; of a pipeline and a stage what became of them, which says more than that it was well. */
export function statusInWords({ status, attributes }: Ended): string {
  const standing = status === "open" ? "goes on" : status;
  const { status: became } = attributes;
  return typeof became === "string" && became !== "" ? `${wordsOfName(became)} (${standing})` : standing;
}

export function attributeText(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("Ms")) return timeTaken(value);
  if (typeof value === "string") return value === "" ? "none" : plainText(value);
  return JSON.stringify(value);
}
