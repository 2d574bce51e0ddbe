import { fork } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noLimits } from "@signalbox/api";
import {
  insertDispatches,
  insertOpenDispatches,
  insertPipelines,
  insertStages,
  openDatabase,
  prepareDatabase,
  startEmbeddedPostgres,
} from "@signalbox/db";
import {
  readRows,
  sampleDispatch,
  sampleOpenDispatch,
  samplePipeline,
  sampleStage,
} from "@signalbox/db/testing";
import Fastify from "fastify";
import postgresClient from "postgres";
import { createLog } from "../src/log.ts";
import { start } from "../src/start.ts";
import type { Senders } from "./rest-senders.ts";

/**
 * What agents report over REST, beside a bare Fastify route that parses the same body and commits one row in the same
 * grouped way: 64 senders in a process of their own, each waiting for its answer. Durable, and both in the same run.
 */
const SENDERS = 64;
const REQUESTS_EACH = 100;
const ROUNDS = 6;
/** What is measured has been at work for this long (ADR 0016). */
const WARM_UP_MS = 10_000;
/** By name, "heartbeats" or "events"; else both. */
const only = process.argv[2];
const key = "a-key-for-the-bench-that-is-long-enough";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const vector = (message: string) =>
  readFileSync(new URL(`../../../packages/contracts/vectors/${message}/full.json`, import.meta.url), "utf8");

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory });
const server = await start(
  {
    host: "127.0.0.1",
    port: 0,
    publicUrl: undefined,
    databaseUrl: postgres.url,
    databaseConnections: 18,
    role: "all",
    bootstrapKey: key,
    tenants: [],
    signInLink: "when-needed",
    oidc: undefined,
    dataDirectory: directory,
    refHosts: [],
    agentHosts: [],
    signingKey: undefined,
    redisUrl: undefined,
    sapStreams: [],
    traces: undefined,
    log: { level: "error", format: "json" },
    launched: false,
    byNpmStart: false,
    limits: noLimits,
    trustedProxies: [],
  },
  createLog({ level: "error" }, { write: (line) => process.stderr.write(line) }),
  new AbortController().signal,
);

/** A route that does nothing else: the body parsed, and one row for each request, those that wait together in one commit. */
async function startBare() {
  await readRows(
    postgres.url,
    `create table public.bare_reports
       (id bigint generated always as identity primary key, at timestamptz not null default now(), body json not null)`,
  );
  const sql = postgresClient(postgres.url, { max: 4 });
  const waiting: { body: string; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  let writing = false;
  async function drain(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, 500);
      try {
        await sql`insert into public.bare_reports (body) select unnest(${group.map(({ body }) => body)}::text[])::json`;
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = false;
  }
  const app = Fastify();
  app.post("/*", async ({ body }) => {
    await new Promise<void>((resolve, reject) => {
      waiting.push({ body: JSON.stringify(body), resolve, reject });
      if (!writing) void drain();
    });
    return { receivedAt: new Date().toISOString() };
  });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  return { origin, stop: () => Promise.all([app.close(), sql.end()]) };
}

const senders = fork(join(import.meta.dirname, "rest-senders.ts"));
function rateOf(asked: Omit<Senders, "headers" | "requestsEach">): Promise<number> {
  return new Promise((resolve, reject) => {
    senders.once("message", (told: { perSecond: number } | { failure: string }) => {
      if ("failure" in told) reject(new Error(told.failure));
      else resolve(told.perSecond);
    });
    senders.send({ ...asked, headers, requestsEach: REQUESTS_EACH } satisfies Senders);
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

async function compare(what: string, bare: string, paths: readonly string[], body: string): Promise<void> {
  if (only !== undefined && !what.includes(only)) return;
  // What the comparison before this left to be written to the disk is neither's.
  for (const statement of ["truncate public.bare_reports", "checkpoint"])
    await readRows(postgres.url, statement);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (const origin of [server.url.origin, bare]) {
    const warm = performance.now() + WARM_UP_MS;
    while (performance.now() < warm) await rateOf({ origin, paths, body });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await rateOf({ origin: server.url.origin, paths, body }));
    theirs.push(await rateOf({ origin: bare, paths, body }));
  }
  const ratio = median(ours) / median(theirs);
  console.log(
    `${what}: ${median(ours).toFixed(0)}/s, a bare route ${median(theirs).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (at least 0.5)`,
  );
}

const pipelineIds = Array.from(
  { length: SENDERS },
  (_, index) => `0199a7c0-0000-7000-8000-${String(index).padStart(12, "0")}`,
);
const tenantId = "default";
const { appUrl } = await prepareDatabase({ url: postgres.url, appVersion: server.version });
const database = openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 2 });
await database.inTenant(tenantId, async (tx) => {
  await insertPipelines(
    tx,
    pipelineIds.map((id) => samplePipeline(tenantId, id)),
  );
  await insertStages(
    tx,
    pipelineIds.map((id) => sampleStage(tenantId, id)),
  );
  await insertDispatches(
    tx,
    pipelineIds.map((id) => sampleDispatch(tenantId, id)),
  );
  await insertOpenDispatches(
    tx,
    pipelineIds.map((id) => sampleOpenDispatch(tenantId, id, 0, { leaseMs: 3_600_000 })),
  );
});
await database.close();

const timestamp = new Date().toISOString();
const lines = Array.from({ length: 10 }, (_, line) => ({
  event_id: "#id",
  session_id: "session-1",
  payload: { type: "SANDBOX_PULSE", line: `test ${line} of the suite passed`, masked: false, timestamp },
}));
const bare = await startBare();
try {
  const { minOrchestratorVersion: __, ...manifest } = JSON.parse(vector("AgentManifest")) as Record<
    string,
    unknown
  >;
  const registered = await fetch(new URL("/v1/packs", server.url), {
    method: "POST",
    headers,
    body: JSON.stringify(manifest),
  });
  if (!registered.ok) throw new Error(await registered.text());
  const { endpoint: _, ...beat } = JSON.parse(vector("AgentHeartbeat")) as Record<string, unknown>;
  const own = { ...beat, packVersion: undefined, instanceId: "instance-#n" };
  const paths = pipelineIds.map(() => "/v1/heartbeats");
  // The SDK's say the same until something changed.
  await compare("heartbeats that say the same as before", bare.origin, paths, JSON.stringify(own));
  const timed = JSON.stringify({ ...own, heartbeatAt: "#at" });
  await compare("heartbeats that each say something new", bare.origin, paths, timed);
  await compare(
    "batches of ten events",
    bare.origin,
    pipelineIds.map((id) => `/v1/dispatches/${id}-d0.1/events`),
    JSON.stringify({ events: lines }),
  );
} finally {
  senders.kill();
  await bare.stop();
  await server.stop(AbortSignal.abort());
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
