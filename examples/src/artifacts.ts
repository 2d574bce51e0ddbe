import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ArtifactAction } from "@signalbox/agent-sdk";
import type { Yard } from "./yard.ts";

export type ChangedFile = { readonly path: string; readonly action: ArtifactAction; readonly digest: string };

const actions: Readonly<Record<string, ArtifactAction>> = {
  A: ArtifactAction.CREATED,
  M: ArtifactAction.MODIFIED,
  D: ArtifactAction.DELETED,
};

/** What git itself says was changed, with the hash of what is there now. */
export async function artifactsOf(
  yard: Yard,
  folder: string,
  range: string,
): Promise<{ artifacts: ChangedFile[]; linesChanged: number }> {
  const names = await yard.git("-C", folder, "diff", "--no-renames", "--name-status", range);
  const counts = await yard.git("-C", folder, "diff", "--no-renames", "--numstat", range);
  const artifacts = names.split("\n").flatMap((line): ChangedFile[] => {
    const [letter = "", path = ""] = line.split("\t");
    const action = actions[letter];
    return action === undefined ? [] : [{ path, action, digest: digestOf(join(folder, path)) }];
  });
  const linesChanged = counts
    .split("\n")
    .flatMap((line) => line.split("\t").slice(0, 2).map(Number))
    .reduce((total, lines) => total + (Number.isNaN(lines) ? 0 : lines), 0);
  return { artifacts, linesChanged };
}

export const digestOf = (file: string): string =>
  existsSync(file) ? `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}` : "";
