import { join, relative, sep } from "node:path";
import type { Plugin, UserConfig } from "vite";

const root = join(import.meta.dirname, "..");

/**
 * A module finds what lies beside it (migrations, pages, Postgres's programs) by where it stands itself. In one file with
 * all others it would look from there: so each is told its own place, as seen from the folder of that file.
 */
function keepPlaces(outDir: string): Plugin {
  const fileUrlToPath = 'process.getBuiltinModule("node:url").fileURLToPath';
  return {
    name: "keep-places",
    transform(code, id) {
      if (!id.startsWith(root + sep) || id.includes("/node_modules/")) return undefined;
      const url = `new URL(${JSON.stringify(relative(outDir, id).replaceAll(sep, "/"))}, import.meta.url)`;
      return code.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_, what) =>
        what === "url" ? `${url}.href` : `${fileUrlToPath}(new URL(".", ${url}))`,
      );
    },
  };
}

/**
 * A program and everything it needs in one file, and what it loads only when it is first needed beside it: it starts
 * sooner and takes a third less memory than its sources, which Node would compile and keep one by one (ADR 0072).
 */
export function programBuild(room: string): UserConfig {
  const outDir = join(room, "dist/program");
  return {
    root: room,
    plugins: [keepPlaces(outDir)],
    ssr: { noExternal: true },
    build: {
      ssr: "src/main.ts",
      outDir,
      target: "node24",
      reportCompressedSize: false,
      rolldownOptions: {
        // Nothing is left out as useless: `try { decodeURIComponent(path) } catch` asks a question by a call without a use.
        treeshake: false,
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          // Names stay, for whoever reads in a log where something failed.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  };
}
