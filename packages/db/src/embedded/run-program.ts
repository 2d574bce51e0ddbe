import { spawn } from "node:child_process";
import { DatabaseError } from "../database-error.ts";
import type { SystemUser } from "./system-user.ts";

/** Nothing of our own environment: it holds keys, and PG* variables would change what Postgres does. */
export const POSTGRES_ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export function runProgram(program: string, parameters: readonly string[], user: SystemUser): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      ...user,
      cwd: "/",
      env: POSTGRES_ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new DatabaseError("START_FAILED", `${program} exited with ${code}: ${said.trim()}`));
      }
    });
  });
}
