import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Contract } from "@signalbox/contracts";
import { requiredTools } from "@signalbox/core";

/** Of the tools that a task needs, those that a program started here would find. */
export function toolsAtHand(contract: Contract | undefined, path: string | undefined): string[] {
  const folders = (path ?? "").split(delimiter).filter(Boolean);
  return contract === undefined
    ? []
    : requiredTools(contract).filter(
        (tool) => !tool.includes("/") && folders.some((folder) => isProgram(join(folder, tool))),
      );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
