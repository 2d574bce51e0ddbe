import { webRoot, writeRouteTree } from "./route-tree.ts";

await writeRouteTree(webRoot);
