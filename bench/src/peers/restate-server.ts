import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RestateAddresses } from "./restate.ts";

const project = fileURLToPath(new URL("../../restate-server/", import.meta.url));
const PATIENCE_MS = 30_000;

/** Between us and the server, a shell that reads from a pipe which only we hold: however we end, the server ends too. */
const WATCHDOG = `
exec 3<&0
"$@" 3<&- </dev/null & server=$!
read -r ending <&3
kill -TERM $server
wait $server
`;

/** Fetched when it is first measured: 81 MB that nobody else needs (ADR 0016). */
function installRestate(): string {
  const installed = join(project, "node_modules/@restatedev/restate-server/package.json");
  if (!existsSync(installed)) {
    execFileSync("pnpm", ["install", "--frozen-lockfile"], { cwd: project, stdio: "inherit" });
  }
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  return createRequire(realpathSync(installed)).resolve(`${platform}/bin/restate-server`);
}

/** A server of its own with its files below `directory`, at its defaults but for ports, addresses and telemetry. */
export async function withRestateServer<T>(
  directory: string,
  work: (addresses: RestateAddresses) => Promise<T>,
): Promise<T> {
  const program = installRestate();
  const data = mkdtempSync(join(directory, "restate-"));
  const [ingress, admin, node] = await freePorts(3);
  const server = spawn("/bin/sh", ["-c", WATCHDOG, "restate-watchdog", program], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {
      DO_NOT_TRACK: "1",
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_BASE_DIR: data,
      RESTATE_NODE_NAME: "bench",
      RESTATE_LISTEN_MODE: "tcp",
      RESTATE_BIND_IP: "127.0.0.1",
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
    },
  });
  try {
    const addresses = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
    await ready([`${addresses.ingress}/restate/health`, `${addresses.admin}/health`]);
    return await work(addresses);
  } finally {
    await stop(server);
    rmSync(data, { recursive: true, force: true });
  }
}

async function ready(urls: readonly string[]): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (const url of urls) {
    while (!(await answers(url))) {
      if (performance.now() > end) throw new Error(`Restate's server did not answer at ${url}`);
      await pause(100);
    }
  }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exited = once(server, "exit");
  server.stdin?.end();
  await exited;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
