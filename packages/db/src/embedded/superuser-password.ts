import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Beside the data, readable by us alone: the port is open to every local user, so the password is what guards it. */
export function superuserPassword(directory: string): string {
  const file = join(directory, "postgres-password");
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
  try {
    // A link appears whole or not at all, and only if none stands: of two starters at once, both read the first's.
    linkSync(fresh, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, "utf8");
}
