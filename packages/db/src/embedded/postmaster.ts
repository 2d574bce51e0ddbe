import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import { commandLine, parentOf } from "./process-identity.ts";
import { WATCHDOG_NAME } from "./watchdog.ts";

/** postmaster.pid: the process on its first line, how far it is on its eighth. */
export function readPostmaster(dataDirectory: string): { pid: number; ready: boolean } | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataDirectory, "postmaster.pid"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === "ready" } : undefined;
}

/** The Postgres that works on this directory. A number alone proves nothing: after a restart it may be anybody's. */
export function livePostmaster(dataDirectory: string): number | undefined {
  const pid = readPostmaster(dataDirectory)?.pid;
  return pid !== undefined && commandLine(pid).includes(dataDirectory) ? pid : undefined;
}

const ORPHAN_PATIENCE = 60_000;

/**
 * Waits until no Postgres works on this directory, which is claimed: one that does was left by an owner that ended. It is
 * shutting down (watchdog.ts); only one whose watchdog was killed too is asked to.
 */
export async function awaitVacancy(dataDirectory: string, log: (line: string) => void): Promise<void> {
  const postmaster = livePostmaster(dataDirectory);
  if (postmaster === undefined) {
    replaceForeignNumber(dataDirectory);
    return;
  }
  log(`waiting for the Postgres that an ended Signalbox left behind (process ${postmaster})`);
  const deadline = Date.now() + ORPHAN_PATIENCE;
  while (livePostmaster(dataDirectory) === postmaster) {
    if (Date.now() > deadline) {
      throw new DatabaseError(
        "DIRECTORY_IN_USE",
        `Postgres, process ${postmaster}, still works on ${dataDirectory}, though the Signalbox that started it has ended. Stop ` +
          `it (kill -INT ${postmaster}) and start again.`,
      );
    }
    if (!commandLine(parentOf(postmaster) ?? 0).includes(WATCHDOG_NAME)) {
      signal(postmaster, "SIGINT");
    }
    await pause(100);
  }
}

/** Higher than any process's number. */
const NOBODYS_NUMBER = "2147483647";

/**
 * After a restart of the machine the number may be another process's, which Postgres would take for its own kind and refuse
 * to start. Only the number is replaced: by the rest of the file it finds out whether sessions of an ended Postgres
 * still write to the data.
 */
function replaceForeignNumber(dataDirectory: string): void {
  const found = readPostmaster(dataDirectory);
  if (found !== undefined && isTaken(found.pid)) {
    const file = join(dataDirectory, "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, NOBODYS_NUMBER));
  }
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) {
      throw error;
    }
  }
}
