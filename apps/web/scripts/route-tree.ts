import { join } from "node:path";
import { Generator, getConfig } from "@tanstack/router-generator";

export const webRoot = join(import.meta.dirname, "..");

/** How the route tree is written, whoever writes it: the build, `npm run generate`, or the check that it is current. */
export const routeTreeStyle = { quoteStyle: "double", semicolons: true, addExtensions: true } as const;

export const routeTreePaths = (root: string) => ({
  routesDirectory: join(root, "src/routes"),
  generatedRouteTree: join(root, "src/route-tree.gen.ts"),
});

/** Writes the route tree of the pages below `root`. */
export async function writeRouteTree(root: string): Promise<void> {
  const config = getConfig({ ...routeTreePaths(root), ...routeTreeStyle, disableLogging: true }, root);
  await new Generator({ config, root }).run();
}
