import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import { isAlive } from "./data-directory.ts";
import type { Placement } from "./placement.ts";

/** postmaster.pid: the process on its first line, how far it is on its eighth. */
export function readPostmaster(dataDirectory: string): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(dataDirectory, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === "ready" } : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/** The Postgres that works on this directory. A number alone proves nothing: after a restart it may be anybody's. */
export function livePostmaster(dataDirectory: string): number | undefined {
  const found = readPostmaster(dataDirectory);
  return found !== undefined && isAlive(found.pid) && commandLine(found.pid).includes(dataDirectory)
    ? found.pid
    : undefined;
}

function commandLine(pid: number): string {
  try {
    return existsSync("/proc/self/cmdline")
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    // It ended between the two looks.
    return "";
  }
}

const OWNER_FILE = "owner.pid";
const ORPHAN_PATIENCE = 60_000;

export function noteOwner({ directory }: Placement): void {
  writeFileSync(join(directory, OWNER_FILE), `${process.pid}\n`, { mode: 0o644 });
}

export function forgetOwner({ directory }: Placement): void {
  rmSync(join(directory, OWNER_FILE), { force: true });
}

/**
 * Waits until no Postgres works on this directory. One whose owner lives is left alone, with an error; one whose owner
 * died is shutting down already (watchdog.ts), or, when its watchdog was killed too, is asked to.
 */
export async function awaitVacancy(placement: Placement, log: (line: string) => void): Promise<void> {
  const { directory, dataDirectory } = placement;
  const postmaster = livePostmaster(dataDirectory);
  if (postmaster === undefined) {
    // Postgres itself would take any live process of that number and user for its own and refuse to start.
    rmSync(join(dataDirectory, "postmaster.pid"), { force: true });
    return;
  }
  const owner = readOwner(directory);
  if (owner !== undefined && isAlive(owner)) {
    throw new DatabaseError(
      "DIRECTORY_IN_USE",
      `${directory} is in use by Signalbox, process ${owner} (its Postgres is process ${postmaster}). Stop that one first, or ` +
        "start this one in another folder or with DATABASE_URL.",
    );
  }
  log(`waiting for the Postgres that an ended Signalbox left behind (process ${postmaster})`);
  const asked = Date.now();
  while (livePostmaster(dataDirectory) === postmaster) {
    if (Date.now() - asked > ORPHAN_PATIENCE) {
      throw new DatabaseError(
        "DIRECTORY_IN_USE",
        `Postgres process ${postmaster} still works on ${dataDirectory}, though the Signalbox that started it has ended. ` +
          `Stop it: kill -INT ${postmaster}`,
      );
    }
    signal(postmaster, "SIGINT");
    await pause(100);
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

function readOwner(directory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(directory, OWNER_FILE), "utf8"));
    // Our own number is another container's, or a process's before us.
    return Number.isInteger(pid) && pid > 0 && pid !== process.pid ? pid : undefined;
  } catch {
    return undefined;
  }
}
