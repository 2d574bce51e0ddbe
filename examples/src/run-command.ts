import { spawn } from "node:child_process";
import { dirname } from "node:path";

export type CommandRun = {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
};

type Options = {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  readonly onLine?: ((line: string) => void) | undefined;
};

/** Nothing of the environment that started this reaches the programs but where to find them: no hooks, no keys. */
const environment = {
  PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"].join(":"),
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
};

/** Runs one program to its end, without a shell; what it printed and how it ended is what really happened. */
export function runCommand(words: readonly string[], { cwd, signal, onLine }: Options): Promise<CommandRun> {
  const [program = "", ...parameters] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // With its children: a test runner that is killed alone leaves its tests running.
      detached: true,
    });
    let [output, line] = ["", ""];
    const hear = (text: string) => {
      output += text;
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const one of lines) onLine?.(one);
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    const kill = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    };
    signal?.addEventListener("abort", kill, { once: true });
    if (signal?.aborted === true) kill();
    child.once("error", reject);
    child.once("close", (exitCode) => {
      signal?.removeEventListener("abort", kill);
      if (line !== "") onLine?.(line);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve({ command: words.join(" "), output, exitCode });
    });
  });
}
