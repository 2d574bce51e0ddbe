import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { routeTreePaths, webRoot, writeRouteTree } from "./route-tree.ts";

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(webRoot, "node_modules/.route-tree-"));
  cpSync(routeTreePaths(webRoot).routesDirectory, routeTreePaths(copy).routesDirectory, { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true }));

const treeOf = (root: string) => readFileSync(routeTreePaths(root).generatedRouteTree, "utf8");

test("the committed route tree is what the pages say; else run npm run generate", async () => {
  await writeRouteTree(copy);
  expect(treeOf(copy)).toBe(treeOf(webRoot));
});

test("a page that was added without it is noticed", async () => {
  const page =
    'import { createFileRoute } from "@tanstack/react-router";\nexport const Route = createFileRoute("/added")({});\n';
  writeFileSync(join(routeTreePaths(copy).routesDirectory, "added.tsx"), page);
  await writeRouteTree(copy);
  expect(treeOf(copy)).not.toBe(treeOf(webRoot));
});
