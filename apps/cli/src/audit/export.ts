import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandEnded, CommandFailure } from "../failure.ts";
import { outputPlace } from "../output/output-place.ts";
import type { World } from "../world.ts";
import { filterQuery, type FilterOptions } from "./filters.ts";
import { exportedLines } from "./read-export.ts";

type Options = CommonOptions & FilterOptions & { readonly output?: string | undefined };

/**
 * Every entry that fits as a line of JSON, byte for byte, the newest first. What is recorded meanwhile belongs to
 * the next export.
 */
export async function exportAudit(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const query = filterQuery(options, world.now());
  const sink = options.output === undefined ? toOut(world) : await toFile(world, options.output);
  let count = 0;
  try {
    for await (const lines of exportedLines(client, query, world.interrupted)) {
      await sink.write(lines.map((line) => `${line}\n`).join(""));
      count += lines.length;
    }
    await sink.keep();
  } catch (error) {
    await sink.discard();
    if (!world.interrupted.aborted) throw error;
    await printer.aside(`Interrupted after ${count} entries.`);
    throw new CommandEnded("interrupted");
  }
  await printer.aside(
    `${count} ${count === 1 ? "entry" : "entries"}${options.output === undefined ? "" : ` → ${options.output}`}`,
  );
}

const toOut = ({ out }: World) => ({
  write: (text: string) => out.write(text),
  keep: async () => undefined,
  discard: async () => undefined,
});

/** Half an export must not be taken for one: the file has its name when all of it is there. */
async function toFile({ folder }: World, output: string) {
  const fault = (cause: Error) =>
    new CommandFailure("failed", `${output} cannot be written (${cause.message}).`, { cause });
  const place = await outputPlace(resolve(folder, output)).catch((cause: Error) => {
    throw fault(cause);
  });
  const inPlace = place.kind === "written-into";
  const written = inPlace ? place.path : `${place.path}.${process.pid}.part`;
  const stream = createWriteStream(written, { flags: "w", mode: 0o600 });
  const failed = new Promise<never>((_resolve, reject) => {
    stream.on("error", (cause) => reject(fault(cause)));
  });
  failed.catch(() => undefined);
  return {
    write: (text: string) =>
      Promise.race([failed, new Promise<void>((done) => void stream.write(text, () => done()))]),
    keep: async () => {
      stream.end();
      await Promise.race([failed, finished(stream)]);
      if (!inPlace) await rename(written, place.path);
    },
    discard: async () => {
      stream.destroy();
      if (!inPlace) await rm(written, { force: true });
    },
  };
}
