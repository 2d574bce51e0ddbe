import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

type Work = Readonly<Record<string, (options: never) => Promise<unknown>>>;
export type Order = { module: string; name: string; options: unknown; patienceMs: number };
export type Answer = { outcome: unknown } | { failure: string };

const entry = fileURLToPath(new URL("apart-process.ts", import.meta.url));
const known = new Map<string, Work>();
const running = new Set<ChildProcess>();
let stopped = false;

/**
 * Gives the same functions back, each running in a process of its own: one subject's heap, compiled code and timers
 * then never slow the next one down. `module` is the caller's `import.meta.url`; options and outcome travel as JSON.
 */
export function apart<W extends Work>(module: string, work: W, patienceMs = 300_000): W {
  known.set(module, work);
  const names = Object.keys(work);
  return Object.fromEntries(
    names.map((name) => [name, (options: unknown) => runApart({ module, name, options, patienceMs })]),
  ) as unknown as W;
}

/** In the process apart: the function itself. */
export function workOf({ module, name }: Order): (options: unknown) => Promise<unknown> {
  const work = known.get(module)?.[name];
  if (work === undefined) throw new Error(`${module} has no work named ${name}`);
  return work as (options: unknown) => Promise<unknown>;
}

/** Ends what runs, and lets nothing more begin. */
export function stopApart(): void {
  stopped = true;
  for (const child of running) child.kill("SIGKILL");
}

function runApart(order: Order): Promise<unknown> {
  if (stopped) return Promise.reject(new Error("interrupted"));
  return new Promise((resolve, reject) => {
    const child = fork(entry, { execArgv: ["--expose-gc"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    running.add(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), order.patienceMs);
    let answer: Answer = {
      failure: `${order.name} ended without an answer, or took longer than ${order.patienceMs} ms`,
    };
    child.once("message", (message) => {
      answer = message as Answer;
      // It has said what it had to: what a library leaves open must not keep it.
      child.kill("SIGKILL");
    });
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      running.delete(child);
      if ("failure" in answer) reject(new Error(stopped ? "interrupted" : answer.failure));
      else resolve(answer.outcome);
    });
    child.send(order);
  });
}
