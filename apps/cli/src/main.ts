import { setTimeout as pause } from "node:timers/promises";
import { isatty } from "node:tty";
import { processEnvironment } from "./environment.ts";
import { exitCodes } from "./exit-codes.ts";
import { run } from "./run.ts";
import type { Sink } from "./world.ts";

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    interrupt.abort();
  });
}

let acting = 0;
for (const stream of [process.stdout, process.stderr]) {
  // Whoever reads has read enough (`| head`): that is no fault of the command, and no reason to leave what it began.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" && acting > 0) return;
    process.exit(error.code === "EPIPE" ? exitCodes.done : exitCodes.failed);
  });
}

const sinkOf = (stream: NodeJS.WriteStream, descriptor: number): Sink => ({
  isTerminal: isatty(descriptor),
  columns: isatty(descriptor) ? stream.columns : undefined,
  write: (text) => new Promise((resolve) => stream.write(text, () => resolve())),
});

process.exitCode = await run(process.argv.slice(2), {
  environment: processEnvironment(),
  out: sinkOf(process.stdout, 1),
  err: sinkOf(process.stderr, 2),
  input: process.stdin,
  inputIsTerminal: isatty(0),
  interrupted: interrupt.signal,
  folder: process.cwd(),
  whileActing: async (act) => {
    acting += 1;
    try {
      return await act();
    } finally {
      acting -= 1;
    }
  },
  now: () => new Date(),
  sleep: async (milliseconds, signal) => {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  },
});
