import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { once } from "node:events";

/** Where a Redis can be had: one that the environment names, or a program on this machine. npm brings none (ADR 0023). */
const given = process.env["SIGNALBOX_TEST_REDIS_URL"];
const program = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => ["redis-server", "valkey-server"].map((name) => join(folder, name)))
  .find(existsSync);

/** One that is given to the tests is not theirs to end. */
export const canEndRedis = given === undefined && program !== undefined;
export const isRedisHere = given !== undefined || program !== undefined;
export const redisMissing =
  "needs a Redis: put redis-server or valkey-server on PATH, or name one in SIGNALBOX_TEST_REDIS_URL";

export type TestRedis = {
  readonly url: string;
  /** Ends it as a crash does; what it had written to its log is there when it comes back, or nothing is. */
  kill(): Promise<void>;
  comeBack(having: "what it had" | "nothing"): Promise<void>;
  stop(): Promise<void>;
};

const cannot = (): Promise<never> => Promise.reject(new Error("a Redis that was given is not ended"));

export async function startRedis(): Promise<TestRedis> {
  if (given !== undefined) {
    return { url: given, kill: cannot, comeBack: cannot, stop: async () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), "signalbox-redis-"));
  const port = await freePort();
  let running = await spawnRedis(port, folder);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => running(),
    async comeBack(what) {
      if (what === "nothing") rmSync(join(folder, "appendonlydir"), { recursive: true, force: true });
      running = await spawnRedis(port, folder);
    },
    async stop() {
      await running();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It loses nothing that it has answered for. Gives what ends it. */
async function spawnRedis(port: number, folder: string): Promise<() => Promise<void>> {
  if (program === undefined) throw new Error(redisMissing);
  const settings = {
    port: String(port),
    bind: "127.0.0.1",
    save: "",
    appendonly: "yes",
    appendfsync: "always",
    dir: folder,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  for await (const part of child.stdout.iterator({ destroyOnReturn: false }))
    if (/Ready to accept connections/.test(String(part))) break;
  child.stdout.resume();
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
