#!/usr/bin/env node
// Plain JavaScript, for the Node that is found may be too old to read TypeScript.
import { enableCompileCache } from "node:module";

const oldest = 24;
if (Number(process.versions.node.split(".")[0]) < oldest) {
  process.stderr.write(
    `signalbox needs Node ${oldest} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      "After `npm start` the repository has one: run node_modules/.bin/signalbox there, or `npx signalbox`.\n",
  );
  process.exit(2);
}
// Loading what was compiled before takes half as long.
enableCompileCache();
await import("../src/main.ts");
