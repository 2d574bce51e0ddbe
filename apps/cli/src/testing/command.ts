import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { readEnvironment } from "../environment.ts";
import { run } from "../run.ts";
import type { Sink, World } from "../world.ts";

export type Ended = { readonly code: number; readonly out: string; readonly err: string };
export type Around = {
  readonly variables?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly input?: string;
  readonly columns?: number;
  readonly inputIsTerminal?: boolean;
  readonly interrupted?: AbortSignal;
  /** Told of what is written to the standard output, as it is. */
  readonly onOut?: (text: string) => void;
  /** How the command waits; by the clock where nothing else is said. */
  readonly sleep?: World["sleep"];
};

/** Runs a command line in this process, with what is around it made up. */
export async function runCommand(words: readonly string[], around: Around = {}): Promise<Ended> {
  let [out, err] = ["", ""];
  const sink = (take: (text: string) => void): Sink => ({
    isTerminal: around.columns !== undefined,
    columns: around.columns,
    write: async (text) => take(text),
  });
  const code = await run(words, {
    environment: readEnvironment(around.variables ?? {}),
    out: sink((text) => {
      out += text;
      around.onOut?.(text);
    }),
    err: sink((text) => (err += text)),
    inputIsTerminal: around.inputIsTerminal ?? false,
    input: Readable.from(around.input === undefined ? [] : [Buffer.from(around.input)]),
    interrupted: around.interrupted ?? new AbortController().signal,
    folder: around.folder ?? "/nonexistent",
    whileActing: (act) => act(),
    now: () => new Date(),
    sleep:
      around.sleep ??
      (async (milliseconds, signal) => {
        await pause(milliseconds, undefined, { signal }).catch(() => undefined);
      }),
  });
  return { code, out, err };
}

export const binary = join(import.meta.dirname, "../../bin/signalbox.mjs");

/** The real binary, as a shell runs it. */
export function spawnCommand(words: readonly string[], { variables = {}, folder, input }: Around = {}) {
  const child = spawn(process.execPath, [binary, ...words], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...variables },
    ...(folder === undefined ? {} : { cwd: folder }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined).end(input ?? "");
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === null) reject(new Error(`killed by ${String(signal)}: ${err}`));
      else resolve({ code, out, err });
    });
  });
  return { child, ended, out: () => out, err: () => err };
}
