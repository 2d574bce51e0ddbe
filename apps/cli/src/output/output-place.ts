import { realpath, stat } from "node:fs/promises";

/**
 * Where an output goes, and how. A file is replaced once the new one is whole, where a link leads and not the link. What is
 * no file (a device, a pipe) is written into: to give its name to a file would take it from everybody, `/dev/null` too.
 */
export type OutputPlace = { readonly path: string; readonly kind: "new" | "file" | "written-into" };

export async function outputPlace(path: string): Promise<OutputPlace> {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) return { path, kind: "new" };
  if (!there.isFile()) return { path, kind: "written-into" };
  return { path: await realpath(path), kind: "file" };
}
