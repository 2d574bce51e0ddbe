import type { Asked } from "@signalbox/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import type { Transport } from "../transport.ts";
import { askedBy } from "./asked.ts";
import { onceOf } from "./request-key.ts";

type Sent<Params> = { Params: Params; Body: Uint8Array | undefined };
type Handler<Params> = (asked: Asked, request: FastifyRequest<Sent<Params>>, reply: FastifyReply) => unknown;

type Options = Pick<RouteOptions, "exposeHeadRoute" | "errorHandler">;

/** Routes whose handler is told who asks: one that forgets to ask cannot be written. */
export function identifiedRoutes(app: FastifyInstance, transport: Transport) {
  const identify = askedBy(transport);
  return <Params = unknown>(
    method: HTTPMethods,
    url: string,
    handler: Handler<Params>,
    options: Options = {},
  ) => {
    app.route<Sent<Params>>({
      ...options,
      method,
      url,
      onRequest: identify.hook,
      handler: (request, reply) => {
        const once = onceOf(request);
        const asked = identify.of(request);
        return handler(once === undefined ? asked : { ...asked, once }, request, reply);
      },
    });
  };
}
