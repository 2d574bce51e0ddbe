import type { SafetyContext } from "@signalbox/contracts";
import { z } from "zod";
import type { WorkReport } from "./gate-input.ts";

const usedTools = z.array(
  z.object({
    tool: z.string(),
    /** What was given to a tool that runs something; a list stands as JSON. */
    command: z.string().nullable(),
  }),
);

/** What an attempt's agent told of its work while it was at it (SAOP). */
export type ReportedWork = {
  /** As many as the last one's place says; 0 where none was reported. */
  readonly turns: number;
  readonly calls: number;
  /** Of its calls of tools, each kind once. */
  readonly used: Readonly<z.output<typeof usedTools>>;
};

/** As the database lists them. */
export const readUsedTools = (text: string): ReportedWork["used"] => usedTools.parse(JSON.parse(text));

/** Whether anything of a task's safety is held against what its agents report; of most tasks nothing is. */
export const isLimited = (safety: SafetyContext | undefined): boolean =>
  safety !== undefined &&
  (safety.maxAutonomousSteps > 0 ||
    [safety.prohibitedActions, safety.toolAllowlist, safety.toolDenylist].some(({ length }) => length > 0));

/** GATE-29: a turn is a step; where an agent tells of no turn, each call of a tool is one. What nobody told stays untold. */
export function workReport({ turns, calls, used }: ReportedWork): WorkReport {
  const steps = turns > 0 ? turns : calls;
  const tools = [...new Set(used.map(({ tool }) => tool))];
  return {
    ...(steps === 0 ? {} : { stepsTaken: steps }),
    ...(calls === 0
      ? {}
      : {
          toolsUsed: tools,
          actionsTaken: tools,
          commandsRun: used.flatMap(({ command }) => lineOf(command)),
        }),
  };
}

function lineOf(command: string | null): string[] {
  if (command === null || command === "") return [];
  if (!command.startsWith("[")) return [command];
  try {
    const words: unknown = JSON.parse(command);
    return Array.isArray(words) && words.every((word) => typeof word === "string")
      ? [words.join(" ")]
      : [command];
  } catch {
    return [command];
  }
}
