import { fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { usualLimits } from "@signalbox/api";
import {
  type Database,
  insertEvents,
  openDatabase,
  prepareDatabase,
  startEmbeddedPostgres,
} from "@signalbox/db";
import { WebSocket, WebSocketServer } from "ws";
import { createLog } from "../src/log.ts";
import { start } from "../src/start.ts";
import type { Heard, Readers } from "./stream-readers.ts";

/**
 * What it costs to tell many readers what happens, beside a bare `ws` server that sends the same bytes to as many: the
 * readers are one other process, the same for both. Ours also writes each event to a durable Postgres and reads it back.
 */
const ROUNDS = 3;
const EVENTS = 6_000;
const key = "a-key-for-the-bench-that-is-long-enough";
const headers = { authorization: `Bearer ${key}` };
const filler = "x".repeat(100);

type Reading = { readonly ready: Promise<void>; readonly heard: Promise<Heard> };

function readApart(asked: Readers): Reading {
  const child = fork(join(import.meta.dirname, "stream-readers.ts"));
  const ready = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<Heard>();
  child.on("message", (told: Heard | "ready") => {
    if (told === "ready") ready.resolve();
    else heard.resolve(told);
  });
  child.on("exit", (code) => heard.reject(new Error(`the readers ended with ${code}`)));
  child.send(asked);
  return { ready: ready.promise, heard: heard.promise };
}

const readersOf = (
  url: string,
  readers: number,
  messages: number,
  changes: Partial<Readers> = {},
): Readers => ({
  url,
  headers,
  readers,
  messages,
  subscribe: { type: "subscribe", topic: "registry" },
  cutAfterMs: undefined,
  ...changes,
});

/** Events `from` to `to`, a hundred a transaction, several transactions at once. */
async function ingest(database: Database, from: number, to: number): Promise<void> {
  const write = (first: number) =>
    database.inTenants(["default"], (tx) =>
      insertEvents(
        tx,
        Array.from({ length: Math.min(100, to - first) }, (_, place) => ({
          tenantId: "default",
          pipelineId: null,
          kind: "pack.registered",
          payload: JSON.stringify({ n: first + place, sent: Date.now(), filler }),
        })),
      ),
    );
  for (let first = from; first < to; first += 100) await write(first);
}

async function bareRate(sample: string, readers: number): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reading = readApart(readersOf(`ws://127.0.0.1:${port}`, readers, EVENTS, { subscribe: undefined }));
  await reading.ready;
  const message = JSON.parse(sample) as { data: object };
  const begun = performance.now();
  for (let n = 0; n < EVENTS; n += 1) {
    const text = JSON.stringify({ ...message, data: { ...message.data, n, sent: Date.now() } });
    for (const socket of server.clients) socket.send(text);
    // As many as one look of ours brings; without a pause nothing would leave the process.
    if (n % 100 === 99) await pause(0);
  }
  await reading.heard;
  const seconds = (performance.now() - begun) / 1_000;
  server.close();
  return (EVENTS * readers) / seconds;
}

async function ourRate(database: Database, url: string, readers: number, events = EVENTS): Promise<number> {
  const reading = readApart(readersOf(url, readers, events));
  await reading.ready;
  const begun = performance.now();
  await ingest(database, 0, events);
  const { missing, double } = await reading.heard;
  if (missing + double > 0) throw new Error(`${missing} missing, ${double} double`);
  return (events * readers) / ((performance.now() - begun) / 1_000);
}

async function oneMessage(database: Database, url: string): Promise<string> {
  const socket = new WebSocket(url, { headers });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "subscribe", topic: "registry" }));
  await once(socket, "message");
  const heard = once(socket, "message");
  await ingest(database, 0, 1);
  const [bytes] = (await heard) as [Buffer];
  socket.terminate();
  return bytes.toString();
}

/** 200 who read, one who does not, a thousand events a second, every connection cut about twice. */
async function healthyBesideStalled(
  database: Database,
  url: string,
  cutAfterMs: number | undefined,
): Promise<Heard> {
  const seconds = 8;
  const stalled = new WebSocket(url, { headers });
  stalled.on("error", () => undefined);
  await once(stalled, "open");
  stalled.send(JSON.stringify({ type: "subscribe", topic: "registry" }));
  await once(stalled, "message");
  stalled.pause();
  const reading = readApart(readersOf(url, 200, seconds * 1_000, { cutAfterMs }));
  await reading.ready;
  const begun = performance.now();
  for (let tick = 0; tick < seconds * 50; tick += 1) {
    await ingest(database, tick * 20, tick * 20 + 20);
    await pause(Math.max(0, begun + (tick + 1) * 20 - performance.now()));
  }
  const heard = await reading.heard;
  stalled.terminate();
  return heard;
}

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
    dataDirectory: "/nonexistent",
    refHosts: [],
    agentHosts: [],
    signingKey: undefined,
    redisUrl: undefined,
    sapStreams: [],
    traces: undefined,
    limits: usualLimits,
    trustedProxies: [],
    log: { level: "error", format: "json" },
    launched: false,
    byNpmStart: false,
  },
  createLog({ level: "error" }, { write: (line) => process.stderr.write(line) }),
  new AbortController().signal,
);
const { appUrl } = await prepareDatabase({ url: postgres.url, appVersion: server.version });
const database = openDatabase({ url: appUrl, applicationName: "bench", maxConnections: 4 });
const url = `${server.url.origin.replace("http", "ws")}/v1/stream`;
const round = (value: number): string => Math.round(value).toLocaleString("en");
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
try {
  const sample = await oneMessage(database, url);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let number = 0; number < ROUNDS; number += 1) {
    ours.push(await ourRate(database, url, 100));
    bare.push(await bareRate(sample, 100));
  }
  console.log(`messages/s to 100 readers, ${sample.length} bytes each, median of ${ROUNDS}:`);
  console.log(`  from Postgres, over /v1/stream  ${round(median(ours))}`);
  console.log(`  bare ws                         ${round(median(bare))}`);
  console.log(`  ratio                           ${(median(ours) / median(bare)).toFixed(2)} (at least 0.5)`);
  console.log(`messages/s to 1,000 readers of one topic: ${round(await ourRate(database, url, 1_000, 600))}`);
  for (const cutAfterMs of [undefined, 3_000]) {
    const { latencies, missing, double } = await healthyBesideStalled(database, url, cutAfterMs);
    console.log(
      `200 readers beside one that is stalled, 1,000 events/s${cutAfterMs === undefined ? "" : ", every connection cut"}: ` +
        `p50 ${latencies.p50} ms, p99 ${latencies.p99} ms (under 250), most ${latencies.most} ms; ` +
        `${missing} missing, ${double} double`,
    );
  }
} finally {
  await database.close();
  await server.stop(AbortSignal.abort());
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
