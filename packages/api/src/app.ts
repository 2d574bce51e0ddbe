import type { RequestListener, Server } from "node:http";
import fastifyCookie from "@fastify/cookie";
import fastifyWebsocket from "@fastify/websocket";
import type { Engine, IdentityProvider, System } from "@signalbox/engine";
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { bodyLimit } from "./body-limit.ts";
import { isBrokenFrame } from "./broken-frame.ts";
import { drainingHook } from "./draining.ts";
import { createIdentification } from "./identification.ts";
import { type Limits, noLimits } from "./limits/limits.ts";
import { createRequestLimits, type RequestLimits } from "./limits/request-limits.ts";
import { openApiPlugin } from "./openapi/plugin.ts";
import { metricsPlugin } from "./metrics/plugin.ts";
import { mcpPlugin } from "./mcp/plugin.ts";
import { notWebSocket, onError, rawProblem, sendProblem } from "./problem.ts";
import { rememberRequest, requestOf } from "./raw-requests.ts";
import { endRefusedUpgrade, rememberUpgrades } from "./refused-upgrades.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { requestLog } from "./request-log.ts";
import { healthPlugin } from "./rest/health.ts";
import { restPlugin } from "./rest/plugin.ts";
import { signingKeysPlugin } from "./rest/signing-keys.ts";
import { rpcPlugin } from "./rpc/plugin.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Transport } from "./transport.ts";
import { trpcPlugin } from "./trpc/plugin.ts";
import { refuseUnroutable } from "./unroutable.ts";
import { routableUrl, webPlugin } from "./web/plugin.ts";

/** A way in, as the router has it. */
export type OfferedRoute = { method: string; url: string };

export type AppOptions = {
  system: Engine;
  log: FastifyBaseLogger;
  /** Makes the listening server around the app's handler. */
  serverFactory: (handler: RequestListener) => Server;
  publicUrl?: URL | undefined;
  identityProvider?: IdentityProvider | undefined;
  /** What agents that are called verify the calls with. */
  signingKeys?: readonly object[];
  /** Of requests, by who asks; none where nothing is said. */
  limits?: Limits;
  /** Whose word is taken for the address that a request came from; nobody's where nothing is said. */
  trustedProxies?: readonly string[];
  /** The built SPA. */
  webRoot?: string | undefined;
  /** A process that only runs loops answers health and metrics and nothing else. */
  healthOnly?: boolean;
  /** Told of each route, so that what must hold of all of them can be tried on all of them. */
  onRoute?: ((route: OfferedRoute) => void) | undefined;
};

const socketMessageLimit = 256 * 1024;

/** All transports in one Fastify instance: what its hooks do holds on every protocol and both HTTP versions. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { system, log, publicUrl, trustedProxies = [] } = options;
  const limits = createRequestLimits(options.limits ?? noLimits, () => performance.now());
  const app: FastifyInstance = fastify({
    serverFactory: (handler) => options.serverFactory(refuseUnroutable(handler)),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    childLoggerFactory: requestLog,
    requestIdHeader: false,
    genReqId: requestIdOf,
    bodyLimit,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: {
      // The longest pack id, each of its characters escaped as three bytes.
      maxParamLength: 3600,
    },
    rewriteUrl: routableUrl,
    // The hook below answers in the caller's own language instead.
    return503OnClosing: false,
    // Refused by the router, before any hook has run.
    frameworkErrors: (error, request, reply) => {
      endRefusedUpgrade(request, reply);
      void sendProblem(request, reply.header(requestIdHeader, request.id), error);
    },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(rawProblem(error, requestIdOf({ headers: {} })));
      else socket.destroy();
    },
  });
  app.setErrorHandler(onError);
  const routes: OfferedRoute[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (config?.refusesMethod === true) return;
    for (const one of [method].flat()) {
      routes.push({ method: one, url });
      options.onRoute?.({ method: one, url });
    }
  });
  everyRequest(app, system, limits);
  securityHeaders(app, publicUrl);
  await app.register(fastifyCookie);
  await app.register(healthPlugin, system);
  await app.register(signingKeysPlugin, { keys: options.signingKeys ?? [] });
  const transport: Transport = {
    system,
    identification: createIdentification(system, publicUrl, limits),
    limits,
    publicUrl,
    identityProvider: options.identityProvider,
  };
  await app.register(metricsPlugin, transport);
  if (options.healthOnly !== true) {
    await sockets(app);
    await app.register(restPlugin, transport);
    await app.register(mcpPlugin, transport);
    await app.register(rpcPlugin, transport);
    await app.register(trpcPlugin, transport);
    await app.register(openApiPlugin, { routes, version: system.orchestrator.version });
  }
  await webPlugin(app, { root: options.healthOnly === true ? undefined : options.webRoot });
  return app;
}

function everyRequest(
  app: FastifyInstance,
  system: Pick<System, "readiness">,
  limits: Pick<RequestLimits, "watch">,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    rememberRequest(request);
    endRefusedUpgrade(request, reply);
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook("onRequest", drainingHook(system));
  limits.watch(app);
  // From here on a stop waits for it.
  app.addHook("onRequest", (request, _reply, done) => {
    request.log.trace("request begun");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    // The path alone: what stands behind the question mark may be anything.
    const path = request.url.split("?", 1)[0];
    const { statusCode: status, elapsedTime } = reply;
    const level = request.routeOptions.logLevel === "warn" ? "debug" : "info";
    request.log[level]({ method: request.method, path, status, ms: Math.round(elapsedTime) }, "request");
    done();
  });
}

async function sockets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: socketMessageLimit, perMessageDeflate: false },
    errorHandler(error, socket, request) {
      request.log[isBrokenFrame(error) ? "debug" : "error"](
        { err: error },
        "a WebSocket ended with an error",
      );
      socket.terminate();
    },
    preClose(done) {
      // 1012 (service restart): the pages come back by themselves.
      for (const socket of this.websocketServer.clients) socket.close(1012, "the process is stopping");
      this.websocketServer.close();
      done();
    },
  });
  rememberUpgrades(app);
  // Without a listener the ws library answers with a page of its own.
  app.websocketServer.on("wsClientError", (_error, socket, raw) => {
    socket.end(rawProblem({ code: notWebSocket }, requestOf(raw)?.id ?? requestIdOf(raw)));
  });
  app.websocketServer.on("headers", (headers, raw) => {
    const request = requestOf(raw);
    if (request !== undefined) headers.push(`${requestIdHeader}: ${request.id}`);
  });
}
