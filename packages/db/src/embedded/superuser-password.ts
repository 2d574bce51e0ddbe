import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { link } from "./directory-claim.ts";

/** Beside the data, readable by us alone: the port is open to every local user, so the password is what guards it. */
export function superuserPassword(directory: string): string {
  const file = join(directory, "postgres-password");
  const fresh = `${file}.${process.pid}`;
  // Linked when it is whole: a start that was killed here must not leave an empty one.
  writeFileSync(fresh, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
  link(fresh, file);
  rmSync(fresh, { force: true });
  return readFileSync(file, "utf8");
}
