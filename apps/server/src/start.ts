import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { OfferedRoute } from "@signalbox/api";
import { prepareDatabase } from "@signalbox/db";
import { prepareFirstTenant, prepareTenant, systemClock } from "@signalbox/engine";
import type { Logger } from "pino";
import { openAgentAdapters } from "./agent-adapters.ts";
import type { Config } from "./config.ts";
import { assertPortFree, listenToSapStreams, serve } from "./open-doors.ts";
import { engineOf } from "./open-engine.ts";
import { databaseOf, systemOf } from "./open-system.ts";
import { signInUrlsOf } from "./sign-in-urls.ts";
import { createStop, type Stop } from "./stop.ts";
import { readVersion } from "./version.ts";

const builtPages = join(import.meta.dirname, "../../web/dist");

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
    const system = {
      ...systemOf({ url: appUrl, config, version, log, stopping }),
      adapters: called.adapters,
    };
    await system.readiness.look();
    const { bootstrapKey } = config;
    const serves = config.role !== "engine";
    const { bootstrapKeyWithdrawn, withdrawnKeys } = await prepareFirstTenant(system, {
      bootstrapKey,
      requestId,
      serves,
    });
    if (withdrawnKeys > 0) {
      log.warn(
        `The key that an earlier start had as SIGNALBOX_BOOTSTRAP_KEY is withdrawn for good: this one has ${bootstrapKey === undefined ? "none" : "another"}`,
      );
    }
    if (bootstrapKeyWithdrawn) {
      log.warn(
        "SIGNALBOX_BOOTSTRAP_KEY was revoked, or withdrawn by an earlier start, and opens nothing: give a new one",
      );
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
