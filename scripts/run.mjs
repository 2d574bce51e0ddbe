// What `npm start` (scripts/start.sh) stands on, and the entry of `npm test` and `npm run bench`. Plain JavaScript without
// dependencies, because it runs on a bare Node 20: it installs with the pinned package manager and goes on under the Node 24
// that the install brought.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".signalbox-install");

const { npm_config_nodedir: _, ...inherited } = process.env;
const env = {
  ...inherited,
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  PATH: [join(modules, ".bin"), process.env.PATH].join(delimiter),
};

let child;
let stopping = false;
// A parent that dies first would orphan the server and its Postgres: pass the signal on and wait.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    stopping = true;
    child?.kill(signal);
  });
}

// npm may be killed without a signal that it could pass on: then nobody would be left to stop what runs here.
const launcher = process.ppid;
setInterval(() => {
  if (process.ppid === launcher || stopping) return;
  stopping = true;
  child?.kill("SIGTERM");
}, 500).unref();

/** Runs a command to its end; resolves with its exit code. */
function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: root, env, stdio: "inherit", ...options });
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ? 1 : code));
  });
}

/** Runs a command whose output matters only when it fails. */
async function runQuietly(what, command, args) {
  const lines = [];
  process.stderr.write(`${what} …\n`);
  const done = run(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (chunk) => lines.push(chunk));
  child.stderr.on("data", (chunk) => lines.push(chunk));
  const code = await done;
  if (stopping) process.exit(130);
  if (code !== 0) {
    process.stderr.write(Buffer.concat(lines));
    fail(`${what} failed (exit code ${code}); what it printed stands above.`, code);
  }
}

function fail(message, code = 1) {
  process.stderr.write(`\n${message}\n`);
  process.exit(code);
}

function installStamp() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"]) {
    hash.update(readFileSync(join(root, file)));
  }
  return `${process.platform}-${process.arch} ${hash.digest("hex")}`;
}

async function install() {
  const stamp = installStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await runQuietly(`Installing with ${packageManager}`, "npx", [
    "--yes",
    packageManager,
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
  ]);
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, stamp);
}

function requireNode24() {
  if (existsSync(join(modules, ".bin", "node"))) return;
  if (Number(process.versions.node.split(".")[0]) >= 24) return;
  fail(
    `Signalbox runs on Node 24, and there is no prebuilt one for ${process.platform}-${process.arch} in the registry.\n` +
      `This is Node ${process.versions.node}. Install Node 24 or newer and run the same command again.`,
  );
}

const task = process.argv[2];
const words = process.argv.slice(3);
if (task !== "prepare" && task !== "test" && task !== "bench")
  fail(`usage: node scripts/run.mjs prepare|test|bench (read: ${task ?? "nothing"})`, 2);

await install();
requireNode24();
if (task === "prepare") {
  await runQuietly("Building", "turbo", [
    "run",
    "build",
    "--filter=@signalbox/web",
    "--filter=@signalbox/server",
    "--filter=@signalbox/examples",
    "--output-logs=errors-only",
  ]);
  process.exit(0);
}
if (task === "bench") {
  // Named, a scenario of the room bench; else every room's benches, one after another, or they would measure each other.
  const all = ["--recursive", "--workspace-concurrency=1", "--if-present", "run", "bench"];
  process.exit(
    words.length > 0 ? await run("node", ["bench/src/main.ts", ...words]) : await run("pnpm", all),
  );
}
process.exit(await run("node", ["scripts/test.ts", ...words]));
