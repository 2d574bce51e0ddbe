/** `npm run generate`: writes everything that is generated and committed, in the order in which one needs the other. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const env = { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(":") };

const steps: [string, string[]][] = [
  // protobuf code, JSON Schema documents, golden vectors
  ["pnpm", ["--filter", "@signalbox/contracts", "run", "generate"]],
  // the pages' route tree
  ["pnpm", ["--filter", "@signalbox/web", "run", "generate"]],
];

for (const [command, parameters] of steps) {
  const { status } = spawnSync(command, parameters, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
