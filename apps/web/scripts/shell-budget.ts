import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

type Budget = {
  maximumGzipBytes: number;
  /** Modules that load by themselves and that every page waits for, by the end of their path. */
  alsoShell: readonly string[];
};

/** The shell is what every page needs before it shows anything: the entry, what it imports at once, and the styles. */
export function shellBudget({ maximumGzipBytes, alsoShell }: Budget): Plugin {
  let files: string[] = [];
  return {
    name: "signalbox:shell-budget",
    apply: "build",
    generateBundle(_options, bundle) {
      files = shellFiles(bundle, alsoShell);
    },
    // Weighed as it is written: Vite adds to chunks, and drops some, after the hook that tells what belongs together.
    writeBundle(_options, bundle) {
      const sizes = files.flatMap((file) =>
        bundle[file] === undefined
          ? []
          : [
              {
                file,
                bytes: gzipSync(contentOf(bundle[file]), { level: 9 }).length,
              },
            ],
      );
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      const report = sizes.map(({ file, bytes }) => `  ${kilobytes(bytes)}  ${file}`).join("\n");
      const summary = `shell: ${kilobytes(total)} gzip of ${kilobytes(maximumGzipBytes)} allowed\n${report}`;
      if (total > maximumGzipBytes) {
        this.error(
          `${summary}\nLoad what only some pages need with their route, or raise the budget in an ADR.`,
        );
      }
      this.info(summary);
    },
  };
}

function shellFiles(bundle: Rolldown.OutputBundle, alsoShell: readonly string[]): string[] {
  const reached = new Set<string>();
  const queue = Object.values(bundle).flatMap((output) =>
    output.type === "chunk" && (output.isEntry || holds(output, alsoShell)) ? [output.fileName] : [],
  );
  for (const file of queue) {
    const output = bundle[file];
    if (reached.has(file) || output?.type !== "chunk") continue;
    reached.add(file);
    queue.push(...output.imports);
  }
  return [...reached, ...new Set([...reached].flatMap((file) => stylesOf(bundle[file])))];
}

/** What a page alone is dressed in comes with that page. */
const stylesOf = (output: Rolldown.OutputBundle[string] | undefined): string[] =>
  output?.type === "chunk" ? [...(output.viteMetadata?.importedCss ?? [])] : [];

const holds = (chunk: Rolldown.OutputChunk, modules: readonly string[]): boolean =>
  chunk.moduleIds.some((id) => modules.some((module) => id.endsWith(module)));

function contentOf(output: Rolldown.OutputChunk | Rolldown.OutputAsset | undefined): string | Uint8Array {
  if (output === undefined) throw new Error("shell-budget: a chunk imports a file that the build lacks");
  return output.type === "chunk" ? output.code : output.source;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(6)} kB`;
