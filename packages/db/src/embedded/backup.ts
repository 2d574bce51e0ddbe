import { constants, cpSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Placement } from "./placement.ts";

const KEPT = 3;

/** A copy of stopped data: whole or absent, and only the last few are kept. */
export async function backUpData({ directory, dataDirectory }: Placement, tag: string): Promise<void> {
  const backups = join(directory, "backups");
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replaceAll(/[:.]/g, "-")}-before-${tag}`;
  const unfinished = join(backups, ".unfinished");
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(dataDirectory, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  });
  renameSync(unfinished, join(backups, name));
  const all = readdirSync(backups)
    .filter((entry) => entry.includes("-before-"))
    .toSorted();
  for (const old of all.slice(0, -KEPT)) {
    rmSync(join(backups, old), { recursive: true, force: true });
  }
}
