import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { DatabaseError } from "../database-error.ts";

/** Who Postgres runs as; `undefined` is ourselves. */
export type SystemUser = { uid: number; gid: number } | undefined;

export const isRoot = process.getuid?.() === 0;

/**
 * Postgres refuses to run as root: then whoever owns the data, so that data made by an ordinary user stays theirs, and
 * otherwise `nobody`.
 */
export function postgresUser(dataDirectory: string): SystemUser {
  if (!isRoot) {
    return undefined;
  }
  const data = lstatSync(dataDirectory, { throwIfNoEntry: false });
  if (data !== undefined && data.uid !== 0) {
    return { uid: data.uid, gid: data.gid };
  }
  try {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
    );
    if (uid !== undefined && gid !== undefined && Number.isInteger(uid) && Number.isInteger(gid)) {
      return { uid, gid };
    }
  } catch (error) {
    throw new DatabaseError("START_FAILED", WITHOUT_NOBODY, { cause: error });
  }
  throw new DatabaseError("START_FAILED", WITHOUT_NOBODY);
}

const WITHOUT_NOBODY =
  "Postgres does not run as root, and this machine has no user 'nobody' to run it as. Start Signalbox as an ordinary " +
  "user, or set DATABASE_URL.";

/** Asks as that user: modes, access lists and mount options all count, and only the kernel knows them all. */
export function canEnter(directory: string, user: SystemUser): boolean {
  return (
    spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", directory], { ...user, cwd: "/", stdio: "ignore" })
      .status === 0
  );
}

export function canExecute(file: string, user: SystemUser): boolean {
  return spawnSync(file, ["--version"], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}
