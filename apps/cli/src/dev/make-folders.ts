import { accessSync, constants, mkdirSync } from "node:fs";
import { CommandFailure } from "../failure.ts";

/** Before anything is begun: a record that cannot be kept would be found out when the work is done. */
export function makeFolders(folders: Readonly<Record<string, string>>): void {
  for (const [option, folder] of Object.entries(folders)) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CommandFailure("failed", `${option}: ${folder} cannot be written to (${why}).`, { cause });
    }
  }
}
