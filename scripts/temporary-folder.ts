import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const enough = 4 * 1024 ** 3;

/**
 * A folder for what tests write: in memory where there is enough of it, because tests start dozens of Postgres clusters
 * and throw them away. Other users may enter it, as PostgreSQL does not run as root.
 */
export function makeTemporaryFolder(): string {
  const inMemory = isRoomy(memory) ? makeIn(memory) : undefined;
  if (inMemory === undefined || runsPrograms(inMemory)) return inMemory ?? makeIn(tmpdir());
  rmSync(inMemory, { recursive: true });
  return makeIn(tmpdir());
}

function makeIn(parent: string): string {
  const folder = mkdtempSync(join(parent, "signalbox-tests-"));
  chmodSync(folder, 0o1777);
  return folder;
}

function isRoomy(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

/** Some machines mount it noexec, and a copy of Postgres must be able to run from here. */
function runsPrograms(folder: string): boolean {
  const probe = join(folder, "probe");
  writeFileSync(probe, "#!/bin/sh\n", { mode: 0o755 });
  try {
    execFileSync(probe);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe);
  }
}
