import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const main = join(import.meta.dirname, "../main.ts");

export type ServerProcess = ReturnType<typeof startProcess>;

/** The real process, as `npm start` runs it. */
export function startProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(([code, signal]) =>
    typeof code === "number" ? code : String(signal),
  );
  const ready = new Promise<URL>((resolve, reject) => {
    child.stdout.on("data", () => {
      const address = /Stop +Ctrl-C/.test(output) ? /Open +(\S+)/.exec(output)?.[1] : undefined;
      if (address !== undefined) resolve(new URL(address));
    });
    void ended.then((code) => reject(new Error(`ended with ${code} before it was ready:\n${errors}`)));
  });
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    output: () => output,
    errors: () => errors,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** Linux's own list of a process's children; none when it is gone. */
function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return list.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return children.concat(...children.map(descendantsOf));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
