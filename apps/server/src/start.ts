import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createApp } from "@signalbox/api";
import {
  describeDatabaseUrl,
  openDatabase,
  prepareDatabase,
  schemaState,
  startEmbeddedPostgres,
} from "@signalbox/db";
import {
  createSignInLink,
  keepAuditPartitions,
  prepareFirstTenant,
  systemClock,
  watchReadiness,
  type System,
} from "@signalbox/engine";
import type { Logger } from "pino";
import { reachableUrl, type Config } from "./config.ts";
import { ensureDataFolder } from "./data-folder.ts";
import { createOnePort } from "./one-port.ts";
import { explainListenFailure } from "./start-failure.ts";
import { createStop, type Stop } from "./stop.ts";
import { readVersion } from "./version.ts";

/** Capability schemas are at their first major version: what 1.x adds, this orchestrator may ignore. */
const capabilitySchema = "^1.0.0";
const builtPages = join(import.meta.dirname, "../../web/dist");
const maxConnections = 10;

export type Started = {
  version: string;
  url: URL;
  port: number;
  signInUrl: URL | undefined;
  data: string;
  stop: Stop["stop"];
};

/** What a test may want otherwise; the process takes the defaults. */
export type Surroundings = {
  webRoot?: string;
  answerRefusalsMs?: number;
  /** The embedded Postgres ended by itself. The next start recovers its data; this process is of no more use. */
  onDatabaseEnded?: () => void;
};

/** Starts one thing after the other, and undoes what was started when a later one fails or the start is called off. */
export async function start(
  config: Config,
  log: Logger,
  calledOff: AbortSignal,
  { webRoot = builtPages, answerRefusalsMs, onDatabaseEnded = () => undefined }: Surroundings = {},
): Promise<Started> {
  const version = readVersion();
  const requestId = randomUUID();
  const stopping = createStop(log, answerRefusalsMs);
  try {
    await assertPortFree(config);
    const { url, data, backUp } = await databaseOf(config, log, stopping, onDatabaseEnded);
    calledOff.throwIfAborted();
    const { appUrl, applied } = await prepareDatabase({
      url,
      appVersion: version,
      ...(backUp === undefined ? {} : { backUp }),
    });
    if (applied.length > 0) log.info({ applied }, "database migrated");
    calledOff.throwIfAborted();

    const system = systemOf(appUrl, version, log, stopping);
    await system.readiness.look();
    const { bootstrapKey } = config;
    const { bootstrapKeyWithdrawn } = await prepareFirstTenant(system, { bootstrapKey, requestId });
    if (bootstrapKeyWithdrawn) {
      log.warn("SIGNALBOX_BOOTSTRAP_KEY was withdrawn by an earlier start and opens nothing: give a new one");
    }
    if (config.role !== "api") {
      stopping.add(
        "loops",
        keepAuditPartitions(system, (err) => log.error({ err }, "audit partitions failed")),
      );
    }
    calledOff.throwIfAborted();
    const { url: serving, port } = await serve({ config, system, log, stopping, webRoot });
    const signInUrl = config.role === "engine" ? undefined : new URL("/sign-in", serving);
    if (signInUrl !== undefined) signInUrl.hash = await createSignInLink(system, { requestId });
    return { version, url: serving, port, signInUrl, data, stop: (hurry) => stopping.stop(hurry) };
  } catch (reason) {
    await stopping.stop(AbortSignal.abort());
    throw reason;
  }
}

/** Before a database is started for nothing; the listener itself has the last word. */
async function assertPortFree({ host, port }: Config): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListenFailure(error, { host, port });
  }
  server.close();
  await once(server, "close");
}

async function databaseOf(
  { databaseUrl, dataDirectory }: Config,
  log: Logger,
  stopping: Stop,
  onDatabaseEnded: () => void,
) {
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, data: describeDatabaseUrl(databaseUrl), backUp: undefined };
  }
  ensureDataFolder(dataDirectory);
  const embedded = await startEmbeddedPostgres({ directory: dataDirectory, log: (line) => log.debug(line) });
  stopping.add("postgres", () => embedded.stop());
  void embedded.lost.then(onDatabaseEnded);
  return {
    url: embedded.url,
    data: `${embedded.dataDirectory} (embedded PostgreSQL)`,
    backUp: (tag: string) => embedded.backUp(tag),
  };
}

function systemOf(url: string, version: string, log: Logger, stopping: Stop): System {
  const database = openDatabase({ url, applicationName: "signalbox", maxConnections });
  stopping.add("database", () => database.close());
  const readiness = watchReadiness({
    clock: systemClock,
    probe: () => database.probe(),
    schema: () => schemaState(database),
    onLost: (err) => log.error({ err }, "the database is lost"),
  });
  readiness.onChange(({ status, checks }) => log.info({ status, checks }, "readiness changed"));
  stopping.add("readiness", () => readiness.stop());
  return {
    database,
    clock: systemClock,
    randomBytes,
    orchestrator: { version, capabilitySchema },
    readiness,
    startedAt: systemClock.now(),
  };
}

type Served = { config: Config; system: System; log: Logger; stopping: Stop; webRoot: string };

async function serve({
  config,
  system,
  log,
  stopping,
  webRoot,
}: Served): Promise<{ url: URL; port: number }> {
  const { host, port, publicUrl } = config;
  let onePort: ReturnType<typeof createOnePort> | undefined;
  const app = await createApp({
    system,
    log,
    publicUrl,
    webRoot,
    healthOnly: config.role === "engine",
    serverFactory: (handler) => {
      onePort = createOnePort(handler);
      return onePort.server;
    },
  });
  if (onePort === undefined) throw new Error("the app was made without its listener");
  const listener = onePort;
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    await app.close();
    throw explainListenFailure(error, config);
  }
  stopping.serve({ drain: () => system.readiness.drain(), close: () => app.close(), listener });
  const [address] = app.addresses();
  const listening = typeof address === "object" ? address.port : port;
  return { url: reachableUrl(config, listening), port: listening };
}
