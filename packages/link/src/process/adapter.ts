import type { AgentAdapter } from "@signalbox/engine";
import { cancel } from "./cancel.ts";
import { createTurns, type Turns } from "./in-turn.ts";
import type { ProgramProcess } from "./program-process.ts";
import { run } from "./run.ts";

/** The program that is a pack's agent in dev mode. */
export type AgentProgram = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  /** All of its environment: nothing of this process's comes with it unless it stands here. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads: the envelope's JSON, or a text that a language model reads. */
  readonly input: "envelope" | "prompt";
};

export type ProcessOptions = {
  /** By pack; undefined for one that has none. No address that a heartbeat gives names a program. */
  readonly program: (packId: string) => AgentProgram | undefined;
  /** So many programs at once; one, where dev mode is serial (A2A 4.7). */
  readonly atOnce?: number;
  /** Told to stop, a program has so long before it is killed. */
  readonly stopWithinMs?: number;
  /** A program's turn has come, and it is started. */
  readonly onBegin?: (packId: string, dispatchId: string) => void;
  /** What programs write to their standard error, line by line. */
  readonly onLine?: (packId: string, line: string) => void;
};

export type Programs = ProcessOptions & {
  readonly turns: Turns;
  /** By dispatch. */
  readonly running: Map<string, ProgramProcess>;
};

/** Dev mode: a program an attempt, the envelope on its standard input and the result on its standard output. */
export function createProcessAdapter(options: ProcessOptions): AgentAdapter {
  const programs: Programs = { ...options, turns: createTurns(options.atOnce ?? 1), running: new Map() };
  return {
    // A process that lives is an agent at work.
    channelIsWork: true,
    refusal: (address) =>
      address === "" ? undefined : "must be empty: a pack's program stands in its folder",
    run: (to, envelope, signal) => run(programs, to, envelope, signal),
    cancel: (_to, attempt) => cancel(programs, attempt),
    async close() {
      await Promise.all([...programs.running.values()].map((process) => process.stop(0)));
    },
  };
}
