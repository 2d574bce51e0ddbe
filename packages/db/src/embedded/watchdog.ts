import { spawn, type ChildProcess } from "node:child_process";
import type { SystemUser } from "./system-user.ts";
import { POSTGRES_ENVIRONMENT } from "./run-program.ts";

/** As it stands in the list of processes. */
export const WATCHDOG_NAME = "signalbox-postgres";

/**
 * A shell between us and Postgres that reads from a pipe which only we hold. When we end, by whatever way, the kernel
 * closes it, and Postgres is shut down (INT: sessions are cut, data is written; QUIT after a minute: recovered from the
 * log next time). The shell ends with Postgres and with its exit code. `detached` gives both a session of their
 * own: neither a Ctrl-C nor the closing terminal reaches Postgres before our drain is over.
 */
const WATCHDOG = `
exec 3<&0
"$@" 3<&- </dev/null & postgres=$!
{
  read -r ending <&3
  kill -INT $postgres
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    sleep 1
    kill -0 $postgres || exit
    sleep 1
  done
  kill -QUIT $postgres
} 2>/dev/null & watcher=$!
exec 3<&-
wait $postgres
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/** Its standard input is the pipe: ending it is the way to stop. */
export function spawnWatched(program: string, parameters: readonly string[], user: SystemUser): ChildProcess {
  const child = spawn("/bin/sh", ["-c", WATCHDOG, WATCHDOG_NAME, program, ...parameters], {
    ...user,
    cwd: "/",
    env: POSTGRES_ENVIRONMENT,
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  // The process that forgets to stop must still be able to end.
  child.unref();
  for (const stream of [child.stdin, child.stderr]) {
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") {
      stream.unref();
    }
  }
  return child;
}
