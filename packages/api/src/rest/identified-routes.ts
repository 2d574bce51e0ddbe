import type { Asked } from "@signalbox/engine";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import type { Transport } from "../transport.ts";
import { askedBy } from "./asked.ts";
import { onceOf } from "./request-key.ts";

type Sent<Params> = { Params: Params; Body: Uint8Array | undefined };
type Handler<Params> = (asked: Asked, request: FastifyRequest<Sent<Params>>, reply: FastifyReply) => unknown;

type Options = Pick<RouteOptions, "exposeHeadRoute" | "errorHandler" | "bodyLimit"> & {
  /** The command asks for a remembered caller's key in the transaction that writes (ADR 0053). */
  confirms?: boolean;
};

/** Routes whose handler is told who asks: one that forgets to ask cannot be written. */
export function identifiedRoutes(app: FastifyInstance, transport: Transport) {
  const identify = askedBy(transport);
  return <Params = unknown>(
    method: HTTPMethods,
    url: string,
    handler: Handler<Params>,
    { confirms = false, ...options }: Options = {},
  ) => {
    const handle = (request: FastifyRequest<Sent<Params>>, reply: FastifyReply): unknown => {
      const once = onceOf(request);
      const asked = identify.of(request);
      return handler(once === undefined ? asked : { ...asked, once }, request, reply);
    };
    const confirmed = async (
      request: FastifyRequest<Sent<Params>>,
      reply: FastifyReply,
    ): Promise<unknown> => {
      try {
        return await handle(request, reply);
      } catch (error) {
        // What refused it may be told only to whom the key still names.
        if (identify.of(request).unconfirmedKey !== undefined)
          await transport.identification.confirm(request);
        throw error;
      }
    };
    app.route<Sent<Params>>({
      ...options,
      method,
      url,
      onRequest: confirms ? identify.recallingHook : identify.hook,
      handler: confirms ? confirmed : handle,
    });
  };
}
