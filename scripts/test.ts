/** `npm test`: every check and every test, then one line `N passed, N failed, N skipped` that sums them all. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { seedOfSource } from "./test-seed.ts";
import { failuresOfPlaywright, failuresOfVitest, tellFailure, type Failure } from "./test-failures.ts";
import { closingLine, fromClosingLine, fromPlaywright, fromVitest, type Count } from "./test-counts.ts";

const root = join(import.meta.dirname, "..");
const results = join(root, "test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results);
const temporary = makeTemporaryFolder();
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

type Step = {
  name: string;
  command: [string, ...string[]];
  count?: (output: string) => Count;
  failures?: () => Failure[];
  cwd?: string;
};

const vitestReport = join(results, "vitest.json");
const playwrightReport = join(results, "playwright.json");

/** A step without its own count is one check: it passes or fails whole. */
const steps: Step[] = [
  { name: "format", command: ["oxfmt", "--check", "."] },
  { name: "lint", command: ["oxlint", "--deny-warnings"] },
  { name: "types", command: ["tsc", "--build"] },
  { name: "dead code", command: ["knip"] },
  {
    name: "boundaries",
    command: [
      "depcruise",
      "--config",
      ".dependency-cruiser.mjs",
      "apps",
      "packages",
      "bench",
      "e2e",
      "examples",
    ],
  },
  {
    name: "unit and database",
    command: ["vitest", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${vitestReport}`],
    count: () => fromVitest(vitestReport),
    failures: () => failuresOfVitest(vitestReport),
  },
  {
    name: "python round trip",
    command: ["node", "packages/contracts/scripts/python-round-trip.ts"],
    count: fromClosingLine,
  },
  {
    name: "build",
    command: ["turbo", "run", "build", "--output-logs=errors-only"],
  },
  {
    name: "browser",
    command: ["playwright", "test"],
    cwd: join(root, "e2e"),
    count: () => fromPlaywright(playwrightReport),
    failures: () => failuresOfPlaywright(playwrightReport),
  },
];

/** Each server, engine and worker that a test starts loads the same code: all but the first find it compiled. */
const compileCache = join(temporary, "compile-cache");
const seed = process.env["SIGNALBOX_TEST_SEED"] ?? seedOfSource(root);
if (seed !== undefined) console.log(`SIGNALBOX_TEST_SEED=${seed}`);
let child: ReturnType<typeof spawn> | undefined;
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    child?.kill(signal);
    process.exitCode = 130;
    interrupted = true;
  });
}

function run({ command: [file, ...parameters], cwd }: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const path = [join(cwd ?? root, "node_modules/.bin"), process.env["PATH"]].join(":");
    const started = spawn(file, parameters, {
      cwd: cwd ?? root,
      env: {
        ...process.env,
        PATH: path,
        TMPDIR: temporary,
        NODE_COMPILE_CACHE: compileCache,
        ...(seed === undefined ? {} : { SIGNALBOX_TEST_SEED: seed }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    let output = "";
    started.stdout.setEncoding("utf8").on("data", (text: string) => {
      process.stdout.write(text);
      output += text;
    });
    started.once("error", (error) => resolve({ code: 127, output: String(error) }));
    started.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const rows: string[] = [];
const failures: Failure[] = [];

for (const step of steps) {
  if (interrupted) break;
  console.log(`\n── ${step.name}`);
  const began = performance.now();
  const { code, output } = await run(step);
  const count = step.count
    ? step.count(output)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  // A runner that dies, or fails outside its tests, must not pass for a green one.
  if (code !== 0 && count.failed === 0) count.failed = 1;
  if (count.failed > 0 && step.failures !== undefined) failures.push(...step.failures());
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  rows.push(
    `${count.failed > 0 ? "✗" : "✓"} ${step.name.padEnd(20)} ${seconds.padStart(6)} s   ${closingLine(count)}`,
  );
}

for (const failure of failures) console.log(`\n${tellFailure(failure)}`);
console.log(`\n${rows.join("\n")}\n`);
console.log(closingLine(total));
process.exitCode ||= total.failed > 0 || total.passed === 0 ? 1 : 0;
