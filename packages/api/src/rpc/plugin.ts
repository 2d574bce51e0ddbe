import { Code, ConnectError, createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { ControlPlaneService } from "@signalbox/contracts";
import { health, reflection, reflectionAlpha } from "@signalbox/contracts/grpc";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimit } from "../body-limit.ts";
import type { Transport } from "../transport.ts";
import { controlPlane } from "./control-plane.ts";
import { healthService } from "./health.ts";
import { requestGate } from "./gate.ts";
import { describeErrors, describing, requestIn, requestKey } from "./interceptors.ts";
import { readStrictly } from "./read-strictly.ts";
import { withReadableTrailer } from "./readable-message.ts";
import { reflectionService } from "./reflection.ts";

/** Connect, gRPC and gRPC-web, each as binary and as JSON. */
const contentTypes = /^application\/(?:json|proto|(?:grpc-web|grpc|connect)(?:\+(?:json|proto))?)(?:;.*)?$/i;

/** Connect and gRPC-web over both HTTP versions, gRPC over HTTP/2: one implementation. */
export async function rpcPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, refusesByItself: true, tellsLimits: true };
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(contentTypes, (_request, _body, done) => done(null));
  const router = createConnectRouter({
    interceptors: [describeErrors],
    requestGate: requestGate(transport),
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: bodyLimit,
    maxTimeoutMs: 120_000,
  });
  router.service(ControlPlaneService, controlPlane(transport.system));
  for (const handler of [...router.handlers, ...openHandlers(transport)].map(readStrictly)) {
    const unlimited = handler.service.typeName === health.Health.typeName;
    app.all(handler.requestPath, { config: { unlimited } }, (request, reply) =>
      serve(handler, request, reply),
    );
  }
}

const openMessageLimit = 64 * 1024;

/** What anybody who reaches the port may know: whether it serves (as /readyz tells too), and the published contract. */
function openHandlers({ system, limits }: Transport): UniversalHandler[] {
  const router = createConnectRouter({
    interceptors: [describeErrors],
    requestGate: async ({ values }) => describing(values, async () => limits.refuse(requestIn(values))),
    readMaxBytes: openMessageLimit,
    maxTimeoutMs: 120_000,
  });
  const services = [ControlPlaneService, health.Health, reflection.ServerReflection];
  const described = reflectionService([...services, reflectionAlpha.ServerReflection]);
  router.service(health.Health, healthService(system));
  router.service(reflection.ServerReflection, described.v1);
  router.service(reflectionAlpha.ServerReflection, described.v1alpha);
  return router.handlers;
}

async function serve(handler: UniversalHandler, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const values = createContextValues().set(requestKey, request);
  try {
    const answer = await handler(universalRequestFromNodeRequest(request.raw, reply.raw, undefined, values));
    // Connect writes to the raw response, past which Fastify keeps the headers that hooks have set.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await universalResponseToNodeResponse(withReadableTrailer(answer), reply.raw);
  } catch (err) {
    // The caller is gone, or what was left of the answer could not be sent: there is nobody to tell.
    const level = isGone(err) ? "debug" : "error";
    request.log[level]({ err, method: handler.method.name }, "call was not answered to its end");
    if (!reply.raw.headersSent) reply.raw.destroy();
  }
}

/** Connect knows a reset by the caller, but not a write that the system called off since the connection had ended. */
const unwritten = new Set<unknown>(["ECANCELED", "EPIPE"]);

function isGone(thrown: unknown): boolean {
  const { code, cause } = ConnectError.from(thrown);
  return code === Code.Aborted || (cause instanceof Error && "code" in cause && unwritten.has(cause.code));
}
