import { readFile, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandFailure } from "../failure.ts";
import { outputPlace } from "../output/output-place.ts";
import type { World } from "../world.ts";
import { type DocumentKind, kinds } from "./kinds.ts";
import { getStored } from "./stored.ts";

type Options = CommonOptions & { readonly output?: string | undefined; readonly force?: boolean | undefined };

/** The exact text of a version, as its author wrote it. */
export async function pullVersion(
  world: World,
  kind: DocumentKind,
  version: string,
  options: Options,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const stored = await getStored(client, kind, version);
  if (options.output !== undefined) {
    await writeCarefully(resolve(world.folder, options.output), stored.text, options);
  }
  if (printer.json) return printer.value(stored);
  if (options.output === undefined) await printer.raw(stored.text);
  const to = options.output === undefined ? "" : ` → ${options.output}`;
  await printer.aside(`${kinds[kind].noun} ${stored.version}, ${stored.status}, edit ${stored.edit}${to}`);
}

/** Whole or not at all, and never over something else that somebody wrote. */
async function writeCarefully(
  path: string,
  text: string,
  { output = "", force = false }: Options,
): Promise<void> {
  try {
    const place = await outputPlace(path);
    if (place.kind === "written-into") return await writeFile(place.path, text);
    if (place.kind === "file" && !force && (await readFile(place.path, "utf8")) !== text) {
      throw new CommandFailure("failed", `${output} holds another text already; --force writes over it.`);
    }
    const beside = `${place.path}.${process.pid}.part`;
    await writeFile(beside, text);
    await rename(beside, place.path);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new CommandFailure("failed", `${output} cannot be written (${code}).`, { cause: error });
  }
}
