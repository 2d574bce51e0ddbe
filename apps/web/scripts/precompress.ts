import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Fonts are compressed by their own form, and below this size the header would be most of the answer. */
const text = /\.(js|css|html|svg|json|txt|webmanifest)$/;
const leastBytes = 1024;

const forms = [
  {
    ending: ".br",
    compress: (content: Buffer) =>
      promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      }),
  },
  { ending: ".gz", compress: (content: Buffer) => promisify(gzip)(content, { level: 9 }) },
] as const;

/** Beside each text of the build its compressed forms, so that the server sends them as they lie and spends no time on it. */
export function precompress(): Plugin {
  return {
    name: "signalbox:precompress",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("precompress: the build names no folder to write to");
      const names = await readdir(dir, { recursive: true });
      await Promise.all(
        names.filter((name) => text.test(name)).map((name) => compressBeside(join(dir, name))),
      );
    },
  };
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < leastBytes) return;
  await Promise.all(
    forms.map(async ({ ending, compress }) => {
      const compressed = await compress(content);
      if (compressed.length < content.length) await writeFile(file + ending, compressed);
    }),
  );
}
