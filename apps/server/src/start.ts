import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createApp, type OfferedRoute } from "@signalbox/api";
import {
  describeDatabaseUrl,
  openDatabase,
  prepareDatabase,
  schemaState,
  startEmbeddedPostgres,
} from "@signalbox/db";
import {
  createSignInLink,
  exportTraces,
  type Engine,
  firstTenant,
  keepAnswersTidy,
  keepAuditPartitions,
  keepRetention,
  keepFeedsShort,
  keepLearning,
  keepInstancesTidy,
  openEngine,
  prepareFirstTenant,
  prepareTenant,
  systemClock,
  tellLostInstances,
  watchReadiness,
  whyAway,
  type System,
} from "@signalbox/engine";
import { openSapStreams } from "@signalbox/link";
import type { Logger } from "pino";
import { openAgentAdapters } from "./agent-adapters.ts";
import { reachableUrl, type Config } from "./config.ts";
import { ensureDataFolder } from "./data-folder.ts";
import { failureLog } from "./failure-log.ts";
import { createIdentityProvider } from "./identity-provider.ts";
import { createOnePort } from "./one-port.ts";
import { createRefSource } from "./ref-source.ts";
import { explainListenFailure } from "./start-failure.ts";
import { createStop, type Stop } from "./stop.ts";
import { createTraceSink } from "./trace-sink.ts";
import { readVersion } from "./version.ts";

/** Capability schemas are at their first major version: what 1.x adds, this orchestrator may ignore. */
const capabilitySchema = "^1.0.0";
const builtPages = join(import.meta.dirname, "../../web/dist");
const maxConnections = 10;
/** Four lanes that commit side by side, and as many that take and renew leases. */
const maxBatchConnections = 8;
/** A process that froze must not hold locks: the server ends its transaction. `assert_node` leaves a lease a second more. */
const longestIdleMs = 5_000;

/** An agent that is called and whose call is cut loses what it has done, and its stage a minute and a retry. */
const finishCallsWithinMs = 10_000;
/** Nobody's work waits for a collector, and a stop hardly. */
const finishTracesWithinMs = 2_000;

/** Settles once so long has passed, or when somebody hurries. */
const passed = (ms: number, hurry: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal: hurry }).catch(() => undefined);

export type Started = {
  version: string;
  url: URL;
  port: number;
  signInUrl: URL | undefined;
  /** Into the tenants beside the first, where nobody can sign in otherwise yet. */
  tenantSignInUrls: readonly { tenantId: string; url: URL }[];
  data: string;
  stop: Stop["stop"];
};

/** What a test may want otherwise; the process takes the defaults. */
export type Surroundings = {
  webRoot?: string;
  answerRefusalsMs?: number;
  /** The embedded Postgres ended by itself. The next start recovers its data; this process is of no more use. */
  onDatabaseEnded?: () => void;
  onRoute?: ((route: OfferedRoute) => void) | undefined;
};

/** Starts one thing after the other, and undoes what was started when a later one fails or the start is called off. */
export async function start(
  config: Config,
  log: Logger,
  calledOff: AbortSignal,
  { webRoot = builtPages, answerRefusalsMs, onDatabaseEnded = () => undefined, onRoute }: Surroundings = {},
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

    const called = openAgentAdapters({
      config,
      now: () => systemClock.now().getTime(),
      onFailure: (err, what) => log.error({ err }, `${what} failed`),
    });
    stopping.add("agent adapters", () => called.close());
    const system = { ...systemOf(appUrl, version, log, stopping), adapters: called.adapters };
    await system.readiness.look();
    const { bootstrapKey } = config;
    const serves = config.role !== "engine";
    const { bootstrapKeyWithdrawn } = await prepareFirstTenant(system, { bootstrapKey, requestId, serves });
    if (bootstrapKeyWithdrawn) {
      log.warn("SIGNALBOX_BOOTSTRAP_KEY was withdrawn by an earlier start and opens nothing: give a new one");
    }
    for (const tenant of config.tenants) await prepareTenant(system, { ...tenant, requestId });
    const engine = await engineOf({ config, system, appUrl, log, stopping });
    calledOff.throwIfAborted();
    listenToSapStreams(config, engine, log, stopping);
    const { url: serving, port } = await serve({
      config,
      engine,
      log,
      stopping,
      webRoot,
      onRoute,
      signingKeys: called.keys,
    });
    const signIn = await signInUrlsOf({ config, system, serving, requestId });
    return { version, url: serving, port, ...signIn, data, stop: (hurry) => stopping.stop(hurry) };
  } catch (reason) {
    await stopping.stop(AbortSignal.abort());
    throw reason;
  }
}

type SignIn = { config: Config; system: System; serving: URL; requestId: string };

/** Where an administrator can sign in by themselves, no link is printed that whoever reads it could use. */
async function signInUrlsOf({ config, system, serving, requestId }: SignIn) {
  if (config.role === "engine") return { signInUrl: undefined, tenantSignInUrls: [] };
  const always = config.signInLink === "always";
  const urlFor = async (tenantId: string): Promise<URL | undefined> => {
    const token = await createSignInLink(system, { tenantId, requestId, always });
    if (token === undefined) return undefined;
    const url = new URL("/sign-in", serving);
    if (tenantId !== firstTenant.tenantId) url.searchParams.set("tenant", tenantId);
    url.hash = token;
    return url;
  };
  const signInUrl = await urlFor(firstTenant.tenantId);
  const tenantSignInUrls: { tenantId: string; url: URL }[] = [];
  for (const { tenantId } of config.tenants) {
    const url = await urlFor(tenantId);
    if (url !== undefined) tenantSignInUrls.push({ tenantId, url });
  }
  return { signInUrl, tenantSignInUrls };
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
  const database = openDatabase({
    url,
    applicationName: "signalbox",
    maxConnections,
    // Heartbeats go this way, and hold the tenant's registry while they are written.
    idleInTransactionTimeoutMs: longestIdleMs,
  });
  stopping.add("database", () => database.close());
  const readiness = watchReadiness({
    clock: systemClock,
    probe: () => database.probe(),
    schema: () => schemaState(database),
    onLost: (err) => {
      const reason = whyAway(err);
      log.error(reason === undefined ? { err } : { reason }, "the database is lost");
    },
  });
  readiness.onChange(({ status, checks }) => {
    const level = status === "ready" && checks.some(({ ok }) => !ok) ? "warn" : "info";
    log[level]({ status, checks }, "readiness changed");
  });
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

type Worked = { config: Config; system: System; appUrl: string; log: Logger; stopping: Stop };

/** Every process may commit what it is asked; only one with loops looks for what is due. */
async function engineOf({ config, system, appUrl, log, stopping }: Worked): Promise<Engine> {
  const batches = openDatabase({
    url: appUrl,
    applicationName: "signalbox engine",
    maxConnections: maxBatchConnections,
    idleInTransactionTimeoutMs: longestIdleMs,
  });
  stopping.add("engine database", () => batches.close());
  const loops = config.role !== "api";
  const onFailure = failureLog(log, system.readiness);
  const engine = await openEngine({
    system,
    batches,
    loops,
    refSource: createRefSource({ hosts: config.refHosts, now: () => system.clock.now().getTime() }),
    onFailure,
  });
  const { traces } = config;
  if (traces !== undefined) {
    const source = { serviceName: traces.serviceName, version: system.orchestrator.version };
    const finish = exportTraces(engine, {
      share: traces.share,
      send: createTraceSink({ ...traces, source }),
      onFailure: (err) => onFailure(err, "exporting a trace"),
    });
    // Closed after the engine, which may bring pipelines to their end while it stops.
    stopping.add("traces", (hurry) => finish(passed(finishTracesWithinMs, hurry)));
  }
  stopping.add("engine", (hurry) => engine.stop(passed(finishCallsWithinMs, hurry)));
  if (loops) {
    stopping.add(
      "audit partitions",
      keepAuditPartitions(system, (err) => onFailure(err, "audit partitions")),
    );
    stopping.add(
      "retention",
      keepRetention(system, (err) => onFailure(err, "retention")),
    );
    stopping.add(
      "feeds",
      keepFeedsShort(system, (err) => onFailure(err, "forgetting old events")),
    );
    stopping.add(
      "learning",
      keepLearning(engine, (err) => onFailure(err, "learning from signals")),
    );
    stopping.add(
      "lost instances",
      tellLostInstances(system, (err) => onFailure(err, "telling of lost instances")),
    );
  }
  stopping.add(
    "kept answers",
    keepAnswersTidy(system, (err) => onFailure(err, "forgetting kept answers")),
  );
  // In every process: each knows only of the tenants whose heartbeats it heard itself.
  stopping.add(
    "instances",
    keepInstancesTidy(system, (err) => onFailure(err, "forgetting instances")),
  );
  return engine;
}

/** SAP V2.0 over Redis is a door like those of the port: a process that only looks for what is due has none. */
function listenToSapStreams(
  { redisUrl, sapStreams, role }: Config,
  engine: Engine,
  log: Logger,
  stopping: Stop,
): void {
  if (redisUrl === undefined || sapStreams.length === 0 || role === "engine") return;
  const opened = openSapStreams({
    engine,
    url: redisUrl,
    streams: sapStreams,
    onFailure: failureLog(log, engine.readiness),
  });
  stopping.add("SAP streams", () => opened.close());
  log.info({ streams: sapStreams }, "tasks of SAP V2.0 are taken from Redis Streams");
}

type Served = {
  config: Config;
  engine: Engine;
  log: Logger;
  stopping: Stop;
  webRoot: string;
  signingKeys: readonly object[];
} & Pick<Surroundings, "onRoute">;

async function serve({
  config,
  engine,
  log,
  stopping,
  webRoot,
  onRoute,
  signingKeys,
}: Served): Promise<{ url: URL; port: number }> {
  const { host, port, publicUrl, oidc } = config;
  let onePort: ReturnType<typeof createOnePort> | undefined;
  const app = await createApp({
    system: engine,
    log,
    publicUrl,
    limits: config.limits,
    trustedProxies: config.trustedProxies,
    identityProvider: oidc && publicUrl && createIdentityProvider(oidc, publicUrl),
    signingKeys,
    webRoot,
    onRoute,
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
  const drain = (): void => {
    engine.readiness.drain();
    engine.release();
  };
  stopping.serve({ drain, close: () => app.close(), listener });
  const [address] = app.addresses();
  const listening = typeof address === "object" ? address.port : port;
  return { url: reachableUrl(config, listening), port: listening };
}
