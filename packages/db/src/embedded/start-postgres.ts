import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import type { Placement } from "./placement.ts";
import { parentOf } from "./process-identity.ts";
import { livePostmaster, readPostmaster, signal } from "./postmaster.ts";
import { spawnWatched } from "./watchdog.ts";

export interface RunningPostgres {
  port: number;
  pid: number;
  stop(): Promise<void>;
  /** Resolves when Postgres has ended, whoever ended it. */
  ended: Promise<unknown>;
}

/** Another program took the port since it was found free, or sessions of an ended Postgres have not noticed yet. */
const TRANSIENT = /could not bind|Address already in use|pre-existing shared memory block/;

const START_PATIENCE = 60_000;
const STOP_PATIENCE = 20_000;

/** Crash-safe unless told otherwise; a test's cluster trades that for speed. */
const NOT_DURABLE = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

export interface Start {
  durable: boolean;
  port?: number;
  log: (line: string) => void;
}

export async function startPostgres(
  placement: Placement,
  { durable, port, log }: Start,
): Promise<RunningPostgres> {
  const chosen = port ?? (await freePort());
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "timezone=UTC",
    "log_timezone=UTC",
    "logging_collector=off",
    // Nobody subscribes to it: no process that waits for that.
    "max_logical_replication_workers=0",
    // Whoever wants a page reads it: no processes that read for others, eight megabytes of three that wait (ADR 0072).
    "io_method=sync",
    // What a new WAL file is filled with, not whether a commit waits for it (ADR 0007).
    "wal_init_zero=off",
    ...(durable ? [] : NOT_DURABLE),
  ];
  const child = spawnWatched(
    join(placement.binaries, "postgres"),
    ["-D", placement.dataDirectory, "-p", String(chosen), ...settings.flatMap((setting) => ["-c", setting])],
    placement.user,
  );
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
    for (const line of chunk.toString().split("\n").filter(Boolean)) {
      log(line);
    }
  });
  let running = true;
  child.once("close", () => {
    running = false;
  });
  const ended = once(child, "close");

  const deadline = Date.now() + START_PATIENCE;
  for (;;) {
    const postmaster = readPostmaster(placement.dataDirectory);
    // The file may still be an ended one's: only what our own shell started counts.
    if (running && postmaster?.ready === true && parentOf(postmaster.pid) === child.pid) {
      return {
        port: chosen,
        pid: postmaster.pid,
        ended,
        stop: async () => {
          child.ref();
          child.stdin?.end();
          // Its timer keeps this process at work: with the pipes nobody waits for, Node would take it for done and end it by 13.
          const waiting = new AbortController();
          const outcome = await Promise.race([
            ended.then(() => "ended"),
            pause(STOP_PATIENCE, "late", { signal: waiting.signal }),
          ]);
          waiting.abort();
          if (outcome === "late") {
            log("Postgres did not stop in time; it is stopped at once and recovers at the next start");
            const pid = livePostmaster(placement.dataDirectory);
            if (pid !== undefined) {
              signal(pid, "SIGQUIT");
            }
            await ended;
          }
        },
      };
    }
    if (!running || Date.now() > deadline) {
      child.stdin?.end();
      await ended;
      throw new DatabaseError(
        "START_FAILED",
        `Postgres did not start in ${placement.dataDirectory}: ${said.trim()}`,
        {
          cause: TRANSIENT.test(said) ? "TRANSIENT" : undefined,
        },
      );
    }
    await pause(10);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") {
    throw new DatabaseError("START_FAILED", "No free port was found on 127.0.0.1.");
  }
  return address.port;
}
