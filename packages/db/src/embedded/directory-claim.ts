import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError } from "../database-error.ts";
import { processIdentity } from "./process-identity.ts";

/** Takes the directory for this process; gives the way to let it go. One that a live process holds is refused. */
export function claimDirectory(directory: string): () => void {
  const file = join(directory, "owner.pid");
  const mine = `${process.pid} ${processIdentity(process.pid)}\n`;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, mine, { mode: 0o644 });
  try {
    while (!link(fresh, file)) {
      const found = readIfThere(file);
      const owner = found === undefined ? undefined : liveOwner(found);
      if (owner !== undefined) {
        throw new DatabaseError(
          "DIRECTORY_IN_USE",
          `${directory} is in use by Signalbox, process ${owner}. Stop that one first, or start this one in another folder or ` +
            "with DATABASE_URL.",
        );
      }
      setAside(file, found);
    }
  } finally {
    rmSync(fresh, { force: true });
  }
  return () => {
    if (readIfThere(file) === mine) {
      rmSync(file, { force: true });
    }
  };
}

function liveOwner(note: string): number | undefined {
  const [, pid, identity] = /^(\d+) (.+)\n$/.exec(note) ?? [];
  return pid !== undefined && processIdentity(Number(pid)) === identity ? Number(pid) : undefined;
}

/** A dead owner's note is moved, then looked at again: another starter may have put its own there in between. */
function setAside(file: string, expected: string | undefined): void {
  const moved = `${file}.dead-${process.pid}`;
  try {
    renameSync(file, moved);
  } catch {
    // Another starter moved it first.
    return;
  }
  if (readIfThere(moved) !== expected) {
    link(moved, file);
  }
  rmSync(moved, { force: true });
}

/** A link appears whole or not at all, and only if none stands there. */
export function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return false;
    }
    throw error;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
