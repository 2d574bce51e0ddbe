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

export const isRedisHere = given !== undefined || program !== undefined;
export const redisMissing =
  "needs a Redis: put redis-server or valkey-server on PATH, or name one in SIGNALBOX_TEST_REDIS_URL";

export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  if (program === undefined) throw new Error(redisMissing);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-redis-"));
  const port = await freePort();
  const options = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    folder,
  ];
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  for await (const part of child.stdout) if (/Ready to accept connections/.test(String(part))) break;
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
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
