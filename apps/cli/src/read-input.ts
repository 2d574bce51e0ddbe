import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { usageFailure } from "./failure.ts";
import type { World } from "./world.ts";

const LARGEST = 8 * 1024 * 1024;

/** How a file is told of that is not there. */
export const missing = (file: string): string => `${file} cannot be read: there is no such file.`;

/** A file's text, or what is piped in where its name is `-`. */
export async function readInput(
  { input, folder }: Pick<World, "input" | "folder">,
  file: string,
): Promise<string> {
  const bytes = file === "-" ? await readAll(input) : await readNamed(resolve(folder, file), file);
  if (bytes.byteLength > LARGEST) throw tooLarge(file);
  try {
    // A mark at the beginning is part of the text: what is pushed is what is there.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageFailure(`${file} is not UTF-8 text.`);
  }
}

async function readNamed(path: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const why: Record<string, string> = {
      EISDIR: "it is a folder",
      EACCES: "it may not be read",
    };
    throw usageFailure(code === "ENOENT" ? missing(file) : `${file} cannot be read: ${why[code] ?? code}.`);
  }
}

async function readAll(input: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > LARGEST) throw tooLarge("-");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (file: string) => usageFailure(`${file} is larger than ${LARGEST / 1024 / 1024} MiB.`);
