import { join, relative, sep } from "node:path";
import type { Plugin, UserConfig } from "vite";

const root = join(import.meta.dirname, "..");

/**
 * A module finds what lies beside it (migrations, pages, Postgres's programs) by where it stands itself. Built, it would
 * look from the folder of what is built: so each is told its own place, as seen from there.
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

/** A file for each package of npm and for each room that others stand on, lowest first: a stack tells whose code it was. */
const parts = [
  (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]?.replaceAll(/[@/]/g, "_"),
  ...["contracts", "core", "db", "engine", "link", "api"].map(
    (room) => (id: string) => (id.startsWith(join(root, "packages", room) + sep) ? room : undefined),
  ),
].map((name) => ({ name }));

/**
 * A program and everything it needs in few files: it starts sooner and takes a third less memory than its sources, which
 * Node would compile and keep one by one (ADR 0072).
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
          // V8 keeps a text with one letter beyond Latin with two bytes a letter, and Node gives it each above a megabyte so.
          charset: "ascii",
          codeSplitting: { groups: parts },
          comments: false,
          // Where nothing is said it leaves out what is useless, too.
          minify: false,
        },
      },
    },
  };
}
