import type { TRPCError } from "@trpc/server";
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { noStore } from "../no-store.ts";
import { noteRefusal, retryAfterSeconds } from "../problem.ts";
import { requestOf } from "../raw-requests.ts";
import type { Transport } from "../transport.ts";
import { refusalOf, type Context } from "./procedures.ts";
import { appRouter, type AppRouter } from "./router.ts";

/** tRPC for the pages: queries over HTTP, subscriptions over a WebSocket, both at /trpc. */
export async function trpcPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onRequest", async (request) => {
    if (request.ws) transport.identification.refuseForeignPage(request);
  });
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, tellsLimits: true };
  });
  app.addHook("onSend", noStore);
  const options: FastifyTRPCPluginOptions<AppRouter> = {
    prefix: "/trpc",
    useWSS: true,
    trpcOptions: {
      router: appRouter,
      maxBatchSize: 20,
      createContext: ({ req }): Context => ({ transport, request: fastifyRequest(req) }),
      onError: ({ error, req, path }) => {
        noteRefusal(fastifyRequest(req).log, refusalOf(error), "procedure", { path });
      },
      responseMeta: ({ errors }) => ({ headers: retryHeader(errors) }),
      keepAlive: { enabled: true, pingMs: 25_000, pongWaitMs: 10_000 },
    },
  };
  await app.register(fastifyTRPCPlugin, options);
}

/** Of a batch, the longest wait: before it is over, a part would be refused again. */
function retryHeader(errors: readonly TRPCError[]): Record<string, string> {
  const waits = errors.flatMap((error) => retryAfterSeconds(refusalOf(error)) ?? []);
  return waits.length === 0 ? {} : { "retry-after": String(Math.max(...waits.map(Number))) };
}

/** Over HTTP tRPC hands on Fastify's request; over a WebSocket the raw one, against its own types. */
function fastifyRequest(given: FastifyRequest): FastifyRequest {
  const request = "raw" in given ? given : requestOf(given);
  if (request === undefined) throw new Error("a request came past the hook that remembers it");
  return request;
}
