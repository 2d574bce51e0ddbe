import {
  chmodSync,
  lchownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseError } from "../database-error.ts";
import type { Placement } from "./placement.ts";
import { runProgram } from "./run-program.ts";
import { isRoot, type SystemUser } from "./system-user.ts";

/** The major version of the binaries in optionalDependencies; a data directory serves one major version only. */
const MAJOR_VERSION = "18";

/** Makes the data directory where there is none, and refuses one that these binaries cannot serve. */
export async function ensureDataDirectory(
  placement: Placement,
  password: string,
  durable: boolean,
): Promise<void> {
  const { dataDirectory, user } = placement;
  if (mkdirSync(dirname(dataDirectory), { recursive: true }) !== undefined) {
    chmodSync(dirname(dataDirectory), 0o711);
  }
  assertOwn(dataDirectory);
  if (!existsSync(join(dataDirectory, "PG_VERSION"))) {
    await initialise(placement, password, durable);
    return;
  }
  const version = readFileSync(join(dataDirectory, "PG_VERSION"), "utf8").trim();
  if (version !== MAJOR_VERSION) {
    throw new DatabaseError(
      "DIRECTORY_UNUSABLE",
      `${dataDirectory} was written by PostgreSQL ${version}, and this Signalbox brings ${MAJOR_VERSION}. Export its data with ` +
        "the Signalbox that wrote it, or move the folder away to begin anew.",
    );
  }
  // A copy that was put back has lost what Postgres insists on.
  if (user !== undefined && lstatSync(dataDirectory).uid === 0) {
    giveAll(dataDirectory, user);
  }
  chmodSync(dataDirectory, 0o700);
}

/** initdb works in a folder of its own that is renamed when it is whole: one that was killed leaves no half of a database. */
async function initialise(
  { dataDirectory, binaries, user }: Placement,
  password: string,
  durable: boolean,
): Promise<void> {
  if (existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0) {
    throw new DatabaseError(
      "DIRECTORY_UNUSABLE",
      `${dataDirectory} is not empty and not a Postgres data directory. Move it away.`,
    );
  }
  removeUnfinished(dataDirectory);
  const unfinished = `${dataDirectory}.unfinished-${process.pid}`;
  const passwordFile = join(unfinished, "password");
  const made = join(unfinished, "data");
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    mkdirSync(made, { mode: 0o700 });
    give(unfinished, user);
    give(passwordFile, user);
    give(made, user);
    await runProgram(
      join(binaries, "initdb"),
      [
        ["--pgdata", made],
        ["--username", "postgres"],
        ["--pwfile", passwordFile],
        ["--auth", "scram-sha-256"],
        ["--encoding", "UTF8"],
        ["--locale-provider", "builtin"],
        ["--builtin-locale", "C.UTF-8"],
        ["--locale", "C"],
        durable ? [] : ["--no-sync"],
      ].flat(),
      user,
    );
    renameSync(made, dataDirectory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What killed starters left. The directory is claimed: none of it is anybody's work. */
function removeUnfinished(dataDirectory: string): void {
  const parent = dirname(dataDirectory);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(dataDirectory)}.unfinished-`)) {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
}

/** Told here by name, before the first read of it fails without one. */
export function assertOwn(directory: string): void {
  const uid = lstatSync(directory, { throwIfNoEntry: false })?.uid;
  if (!isRoot && uid !== undefined && uid !== process.getuid?.()) {
    throw new DatabaseError(
      "DIRECTORY_UNUSABLE",
      `${directory} belongs to user ${uid}, and this process runs as user ${process.getuid?.()}. Start Signalbox as the user ` +
        "who started it first, give the folder to this one (chown -R), or name another.",
    );
  }
}

function give(path: string, user: SystemUser): void {
  if (user !== undefined) {
    lchownSync(path, user.uid, user.gid);
  }
}

function giveAll(directory: string, user: SystemUser): void {
  give(directory, user);
  for (const entry of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    give(join(directory, entry), user);
  }
}
