import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
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

export type Started = {
  readonly command: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** CLI-77: why a program cannot be started, as far as that shows before it is; undefined where nothing speaks against it. */
export function whyNotStarted({ command, directory, environment }: Started): string | undefined {
  if (!isFolder(directory)) return `its folder ${directory} is not there`;
  if (command.includes("/"))
    return isProgram(resolve(directory, command)) ? undefined : `its program ${command} cannot be run`;
  const path = environment["PATH"];
  // Without one the system looks in places of its own.
  if (path === undefined) return undefined;
  const isFound = path.split(delimiter).some((folder) => isProgram(resolve(directory, folder, command)));
  return isFound ? undefined : `its program ${command} is in no folder of PATH`;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
