import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { fontPreload } from "./scripts/font-preload.ts";
import { precompress } from "./scripts/precompress.ts";
import { routeTreePaths, routeTreeStyle, webRoot } from "./scripts/route-tree.ts";
import { shellBudget } from "./scripts/shell-budget.ts";

const server = "http://127.0.0.1:7400";

export default defineConfig({
  plugins: [
    tanstackRouter({
      // Here and not in a file of its own, which the plugin would look for in the working directory.
      ...routeTreePaths(webRoot),
      ...routeTreeStyle,
      autoCodeSplitting: true,
      // Error pages stay in the shell: they are for the moment in which nothing can be loaded.
      codeSplittingOptions: { defaultBehavior: [["loader", "component", "notFoundComponent"]] },
    }),
    // Every element is made by the pages' own hand (src/drawn/jsx-runtime.ts).
    react({ jsxImportSource: join(webRoot, "src/drawn") }),
    tailwindcss(),
    fontPreload(["inter-latin-wght-normal", "jetbrains-mono-latin-wght-normal"]),
    shellBudget({ maximumGzipBytes: 130_000, alsoShell: ["/src/shell/shell.tsx"] }),
    precompress(),
  ],
  resolve: {
    // The router's store brings React 17's part of this along, which React has had since 18.
    alias: [{ find: /^use-sync-external-store\/shim$/, replacement: "react" }],
  },
  build: {
    // The oldest browsers with light-dark(), which the themes stand on.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // The content security policy allows no data: URL.
    assetsInlineLimit: 0,
    // Every browser of the target preloads modules by itself. What lazy chunks stand on would be a list of three kilobytes in the
    // shell; each chunk names it anyway, and all are fetched once the first page stands.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) => (hostType === "html" ? needed : []),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      // tRPC's client does not say that its modules do nothing by themselves.
      treeshake: { moduleSideEffects: [{ test: /\/@trpc\/client\//, sideEffects: false }] },
      output: {
        // In one file the shell is a kilobyte and a half smaller than in the twenty that pages would share parts of.
        codeSplitting: {
          groups: [
            // Only readings of the process come over tRPC's own socket; its client's one door would bring it to every page.
            // What both stand on is the shell's.
            {
              name: "base",
              test: /\/@trpc\/server\/|\/@trpc\/client\/dist\/(objectSpread|TRPCClientError|httpUtils|unstable)/,
              priority: 2,
            },
            { name: "socket", test: /\/@trpc\/client\/dist\/wsLink/, priority: 1 },
            { name: "shell", test: /\/src\/(main|shell\/shell)\.tsx$/ },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": server, "/trpc": { target: server, ws: true } },
  },
});
