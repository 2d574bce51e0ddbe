import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Limits, noLimits } from "@signalbox/api";
import { ensureTenant, insertKey, openDatabase, prepareDatabase, startEmbeddedPostgres } from "@signalbox/db";
import { createLog } from "../src/log.ts";
import { start } from "../src/start.ts";

/**
 * What one tenant's burst does to another's latency: a quiet tenant asks twenty times a second and a loud one as fast as
 * 64 connections carry it, first not at all, then without limits, then with one that leaves it a part of the process.
 */
const SECONDS = 6;
const LOUD = 64;
const QUIET_EVERY_MS = 50;
const limited: Limits = { ...noLimits, tenant: { perSecond: 100, burst: 100, open: 16 } };

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory });
const { appUrl } = await prepareDatabase({ url: postgres.url, appVersion: "bench" });

async function keyOf(tenantId: string): Promise<string> {
  const key = randomBytes(24).toString("hex");
  const hash = createHash("sha256").update(key).digest();
  const database = openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 1 });
  await database.inTenant(tenantId, async (tx) => {
    await ensureTenant(tx, { name: tenantId });
    await insertKey(tx, {
      hash,
      prefix: key.slice(0, 6),
      label: tenantId,
      role: "admin",
      createdBy: "bench",
    });
  });
  await database.close();
  return key;
}

const keys = { quiet: await keyOf("quiet"), loud: await keyOf("loud") };

const startWith = (limits: Limits) =>
  start(
    {
      host: "127.0.0.1",
      port: 0,
      publicUrl: undefined,
      databaseUrl: postgres.url,
      databaseConnections: 18,
      role: "all",
      bootstrapKey: undefined,
      tenants: [],
      signInLink: "when-needed",
      oidc: undefined,
      dataDirectory: "/nonexistent",
      refHosts: [],
      agentHosts: [],
      signingKey: undefined,
      redisUrl: undefined,
      sapStreams: [],
      traces: undefined,
      limits,
      trustedProxies: [],
      log: { level: "error", format: "json" },
      launched: false,
      byNpmStart: false,
    },
    createLog({ level: "error" }, { write: (line) => process.stderr.write(line) }),
    new AbortController().signal,
  );

function ask(port: number, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request({ port, host: "127.0.0.1", path: "/v1/pipelines", headers, agent }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}

/** The quiet tenant's p50 and p99, and how many of the loud one's were carried out and refused in a second. */
async function measure(limits: Limits, withBurst: boolean) {
  const server = await startWith(limits);
  const agent = new Agent({ keepAlive: true });
  const loud = { done: 0, refused: 0 };
  const until = performance.now() + SECONDS * 1_000;
  const press = async (): Promise<void> => {
    while (performance.now() < until) {
      if ((await ask(server.port, keys.loud, agent)) === 200) loud.done += 1;
      else {
        loud.refused += 1;
        await pause(10);
      }
    }
  };
  const pressing = withBurst ? Array.from({ length: LOUD }, press) : [];
  const waits: number[] = [];
  while (performance.now() < until) {
    const begun = performance.now();
    const status = await ask(server.port, keys.quiet, agent);
    if (status !== 200) throw new Error(`the quiet tenant was answered with ${status}`);
    waits.push(performance.now() - begun);
    await pause(Math.max(0, begun + QUIET_EVERY_MS - performance.now()));
  }
  await Promise.all(pressing);
  agent.destroy();
  await server.stop(AbortSignal.abort());
  waits.sort((one, other) => one - other);
  const at = (part: number) => (waits[Math.floor(waits.length * part)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; the loud one: ${Math.round(loud.done / SECONDS)}/s carried out, ${Math.round(loud.refused / SECONDS)}/s refused`;
}

process.stdout.write(`a quiet tenant alone:            ${await measure(noLimits, false)}\n`);
process.stdout.write(`beside a burst without limits:   ${await measure(noLimits, true)}\n`);
process.stdout.write(`beside a burst of 100/s at most: ${await measure(limited, true)}\n`);
await postgres.stop();
rmSync(directory, { recursive: true, force: true });
