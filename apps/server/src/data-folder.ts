import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { StartFailure } from "./start-failure.ts";

/** Makes the folder where there is none, and refuses one in which nothing can be kept. */
export function ensureDataFolder(folder: string): void {
  try {
    makeFolder(folder);
    rmdirSync(mkdtempSync(join(folder, ".probe-")));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    // Whose it is the database says, which has more to say about that.
    if (code === "EACCES" && existsSync(folder)) return;
    throw new StartFailure(
      `SIGNALBOX_DATA: read ${JSON.stringify(folder)}, where nothing can be kept (${code}). ` +
        "Allowed: a folder that this process may make and write in. Or set DATABASE_URL.",
      { cause },
    );
  }
}

/** One by one: Node's recursive mkdir tries for ever where a parent says that it does not exist, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
  // Passable, not listable: Postgres's own user must get through to its data.
  chmodSync(folder, 0o711);
}
