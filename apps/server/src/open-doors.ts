import { once } from "node:events";
import { createServer } from "node:net";
import { createApp, type OfferedRoute } from "@signalbox/api";
import type { Engine } from "@signalbox/engine";
import { openSapStreams } from "@signalbox/link";
import type { Logger } from "pino";
import { reachableUrl, type Config } from "./config.ts";
import { failureLog } from "./failure-log.ts";
import { createIdentityProvider } from "./identity-provider.ts";
import { createOnePort } from "./one-port.ts";
import { explainListenFailure } from "./start-failure.ts";
import type { Stop } from "./stop.ts";

/** Before a database is started for nothing; the listener itself has the last word. */
export async function assertPortFree({ host, port }: Config): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListenFailure(error, { host, port });
  }
  server.close();
  await once(server, "close");
}

/** SAP V2.0 over Redis is a door like those of the port: a process that only looks for what is due has none. */
export function listenToSapStreams(
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
  onRoute: ((route: OfferedRoute) => void) | undefined;
};

/** The one port, until it is drained and closed. */
export async function serve({
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
