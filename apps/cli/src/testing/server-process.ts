import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";

const main = join(import.meta.dirname, "../../../server/src/main.ts");

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** The real server as a process of its own: this room knows no more of it than its address and a key. */
export async function startServer(
  databaseUrl: string,
  { port = 0, key = randomBytes(24).toString("hex") }: { port?: number; key?: string } = {},
) {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SIGNALBOX_BOOTSTRAP_KEY: key,
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = once(child, "close");
  const url = await new Promise<URL>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      const address = /Stop +Ctrl-C/.test(out) ? /Open +(\S+)/.exec(out)?.[1] : undefined;
      if (address !== undefined) resolve(new URL(address));
    });
    void ended.then(() => reject(new Error(`the server ended before it was ready:\n${err}`)));
  });
  return {
    url,
    key,
    port: Number(url.port),
    variables: { SIGNALBOX_URL: url.origin, SIGNALBOX_KEY: key },
    call: async (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
