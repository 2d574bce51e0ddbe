import type { StageResult } from "../state.ts";
import type { Passage } from "./bounded-text.ts";

/**
 * CARRY-4: what a name in `carry_fields` stands for. `thought` is not among them: people see it, later agents do not
 * (SACP 2.1).
 */
const fields: Readonly<Record<string, (result: StageResult) => string | undefined>> = {
  summary: (result) => result.summary,
  message: ({ response }) => response?.message,
  next_step_hint: ({ response }) => response?.nextStepHint,
  rollback_notes: ({ contextOut }) => contextOut?.rollbackNotes,
  assumptions_made: ({ contextOut }) => contextOut?.assumptionsMade.join("\n"),
  risks_identified: ({ contextOut }) => contextOut?.risksIdentified.join("\n"),
};

function carriedField(result: StageResult, name: string): string | undefined {
  if (name === "data" || name.startsWith("data.")) return dataAt(result, name.split(".").slice(1));
  return Object.hasOwn(fields, name) ? fields[name]?.(result) : undefined;
}

export function carriedPassage(result: StageResult, stageId: string, name: string): Passage {
  const value = carriedField(result, name);
  const what = `field ${name}`;
  if (value === undefined) {
    return { text: `Stage "${stageId}" gave no ${name}.`, what, from: stageId };
  }
  return { text: value === "" ? "" : `${name} of stage "${stageId}":\n${value}`, what, from: stageId };
}

function dataAt({ response }: StageResult, path: readonly string[]): string | undefined {
  let value: unknown = response?.data;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(inKeyOrder(value));
}

/** Two equal values are written alike, in whatever order an agent wrote their keys. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inKeyOrder(inner)]));
}
