import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real Signalbox: its process, its embedded Postgres, its data in a temporary folder. */
export type Stack = {
  origin: string;
  /** An administrator's key, as automation has one. */
  key: string;
  /** The one-time link of the latest start; where SIGNALBOX_TENANTS names more tenants than the first, theirs follow. */
  signInLink(tenant?: number): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again on the same data and the same port. */
  start(): Promise<void>;
  /** Stops, and removes the data. */
  remove(): Promise<void>;
};

const root = join(import.meta.dirname, "..");
const logs = join(root, "test-results/server-logs");
const startWithinMs = 30_000;
const stopWithinMs = 15_000;

export async function startStack(name: string, more: Record<string, string> = {}): Promise<Stack> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "signalbox-e2e-"));
  // As root, Postgres runs as another user, and keeps its data elsewhere where that user cannot pass.
  chmodSync(dataDirectory, 0o755);
  const key = `e2e-${crypto.randomUUID()}`;
  let running = await startProcess(name, { port: "0", dataDirectory, key, more });
  const { origin } = new URL(running.signInLinks[0] ?? "");

  const stop = async (signal: NodeJS.Signals = "SIGTERM") => stopProcess(running.server, signal);
  return {
    origin,
    key,
    signInLink: (tenant = 0) => running.signInLinks[tenant] ?? "",
    stop,
    start: async () => {
      running = await startProcess(name, { port: new URL(origin).port, dataDirectory, key, more });
    },
    remove: async () => {
      await stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

type Settings = { port: string; dataDirectory: string; key: string; more: Record<string, string> };

async function startProcess(name: string, { port, dataDirectory, key, more }: Settings) {
  const server = spawn(process.execPath, ["apps/server/dist/program/main.js"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // All of them run the same code: the first to start compiles it for the others.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "signalbox-e2e-compiled"),
      PORT: port,
      SIGNALBOX_DATA: dataDirectory,
      SIGNALBOX_BOOTSTRAP_KEY: key,
      LOG_FORMAT: "json",
      ...more,
    },
  });
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(join(logs, `${name}.log`), { flags: "a" });
  let output = "";
  const signInLinks = await new Promise<string[]>((resolve, reject) => {
    const late = setTimeout(() => fail(`was not ready within ${startWithinMs} ms`), startWithinMs);
    const fail = (what: string) => {
      clearTimeout(late);
      server.kill("SIGKILL");
      reject(new Error(`The server ${what}. It said:\n${output.slice(-4000)}`));
    };
    const read = (chunk: string) => {
      log.write(chunk);
      output += chunk;
      const links = output.match(/https?:\/\/\S+\/sign-in(?:\?\S+)?#\S+/g) ?? [];
      // The block ends with an empty line: what comes before may still be cut in the middle of the link.
      if (links.length === 0 || !output.trimEnd().includes("Ctrl-C")) return;
      clearTimeout(late);
      resolve(links);
    };
    server.stdout.setEncoding("utf8").on("data", read);
    server.stderr.setEncoding("utf8").on("data", read);
    server.once("error", (error) => fail(`could not be started: ${error.message}`));
    server.once("exit", (code) => fail(`ended with ${code}`));
  });
  return { server, signInLinks };
}

/** A server that does not stop when it is asked to is a fault, and not to be tidied away. */
async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
  await ended;
  clearTimeout(late);
  if (child.signalCode === "SIGKILL" && signal !== "SIGKILL") {
    throw new Error(`The server did not stop within ${stopWithinMs} ms of ${signal}.`);
  }
}
