import { randomBytes } from "node:crypto";
import { describeDatabaseUrl, openDatabase, schemaState, startEmbeddedPostgres } from "@signalbox/db";
import { systemClock, type System, watchReadiness, whyAway } from "@signalbox/engine";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { ensureDataFolder } from "./data-folder.ts";
import type { Stop } from "./stop.ts";

/** Capability schemas are at their first major version: what 1.x adds, this orchestrator may ignore. */
const capabilitySchema = "^1.0.0";
/** A process that froze must not hold locks: the server ends its transaction. `assert_node` leaves a lease a second more. */
export const longestIdleMs = 5_000;

/** Of the usual 18 the engine has four for lanes that commit side by side, and four that take and renew leases. */
export function shareConnections({ databaseConnections: all }: Config) {
  const engine = Math.max(2, Math.floor((all * 4) / 9));
  return { engine, requests: all - engine };
}

/** The configured database, or the embedded one that this starts. */
export async function databaseOf(
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

type Known = { url: string; config: Config; version: string; log: Logger; stopping: Stop };

/** What every command needs of the world, with what tells of the database. */
export function systemOf({ url, config, version, log, stopping }: Known): System {
  const database = openDatabase({
    url,
    applicationName: "signalbox",
    maxConnections: shareConnections(config).requests,
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
