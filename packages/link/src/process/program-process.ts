import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { AgentProgram } from "./adapter.ts";

export type ProgramEnd = {
  /** All that it wrote to its standard output; undefined when it wrote more than is read. */
  readonly output: string | undefined;
  /** How it ended, such as "exit 0" or "SIGTERM". */
  readonly ending: string;
  /** Null for one that a signal ended. */
  readonly exitCode: number | null;
  /** The last of what it wrote to its standard error. */
  readonly lastLines: string;
};

export type ProgramProcess = {
  /** Rejects when it could not be started. */
  readonly ended: Promise<ProgramEnd>;
  /** Asks it and all that it started to end, and kills them when they have not after so long. */
  stop(withinMs: number): Promise<void>;
};

const MOST_OUTPUT = 4 * 1024 * 1024;
const LAST_LINES = 20;
const LONGEST_LINE = 2_000;

/** A program in a process group of its own, so that what it started ends with it. */
export function startProgram(
  { command, arguments: args, directory, environment }: AgentProgram,
  input: string,
  onLine: (line: string) => void,
): ProgramProcess {
  const child = spawn(command, [...args], {
    cwd: directory,
    env: { ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  const parts: Buffer[] = [];
  const last: string[] = [];
  let bytes = 0;
  let hasEnded = false;

  /** The group outlives its leader while anything that it started runs. */
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nobody of it is left.
    }
  };

  child.stdout.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MOST_OUTPUT) parts.push(part);
    else signalGroup("SIGKILL");
  });
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on("line", (line) => {
    const shown = line.slice(0, LONGEST_LINE);
    last.push(shown);
    if (last.length > LAST_LINES) last.shift();
    onLine(shown);
  });
  // A program that reads none of its input is free to.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  child.on("error", reject);
  // Its streams are held open by what it left behind, which must not keep the attempt.
  child.on("exit", () => signalGroup("SIGKILL"));
  child.on("close", (code, signal) => {
    hasEnded = true;
    resolve({
      output: bytes > MOST_OUTPUT ? undefined : Buffer.concat(parts).toString("utf8"),
      ending: signal ?? `exit ${code}`,
      exitCode: code,
      lastLines: last.join("\n"),
    });
  });
  return {
    ended,
    async stop(withinMs) {
      if (!hasEnded) signalGroup("SIGTERM");
      const timer = setTimeout(() => signalGroup("SIGKILL"), withinMs);
      await ended.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
