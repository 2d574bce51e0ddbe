import { createContextValues } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { ControlPlaneService } from "@signalbox/contracts";
import type { FastifyInstance } from "fastify";
import { bodyLimit } from "../body-limit.ts";
import type { Transport } from "../transport.ts";
import { controlPlane } from "./control-plane.ts";
import { requestGate } from "./gate.ts";
import { describeErrors, requestKey } from "./interceptors.ts";
import { readStrictly } from "./read-strictly.ts";

/** Connect and gRPC-web over both HTTP versions, gRPC over HTTP/2: one implementation. */
export async function rpcPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, refusesByItself: true };
  });
  await app.register(fastifyConnectPlugin, {
    routes: (router) => {
      router.service(ControlPlaneService, controlPlane(transport.system));
      router.handlers.splice(0, router.handlers.length, ...router.handlers.map(readStrictly));
    },
    interceptors: [describeErrors],
    requestGate: requestGate(transport),
    contextValues: (request) => createContextValues().set(requestKey, request),
    readMaxBytes: bodyLimit,
    maxTimeoutMs: 120_000,
  });
}
