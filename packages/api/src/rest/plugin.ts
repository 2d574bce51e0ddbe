import { SignalboxError } from "@signalbox/contracts";
import type { FastifyInstance, HTTPMethods, RouteOptions } from "fastify";
import { noStore } from "../no-store.ts";
import type { Transport } from "../transport.ts";
import { packRoutes } from "./packs.ts";
import { sessionRoutes } from "./session.ts";

const methods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** REST: resources under /v1. Bodies arrive as bytes, because the bounded parser of the contract reads them. */
export async function restPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onSend", noStore);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  const offered = collectMethods(app);
  packRoutes(app, transport);
  sessionRoutes(app, transport);
  refuseOtherMethods(app, offered);
}

function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const offered = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }: RouteOptions) => {
    const known = offered.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    offered.set(url, known);
  });
  return offered;
}

/** A path that exists answers other methods with 405 and what it allows, not with 404. */
function refuseOtherMethods(app: FastifyInstance, offered: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of Array.from(offered)) {
    const allowed = Array.from(known).join(", ");
    app.route({
      url,
      method: methods.filter((method) => !known.has(method)),
      // Before the body is read: a method that is refused has none worth reading.
      onRequest: (request, reply, done) => {
        reply.header("allow", allowed);
        done(
          new SignalboxError("METHOD_NOT_ALLOWED", `${request.method} is not offered here, ${allowed} is.`),
        );
      },
      handler: (_request, reply) => reply.send(),
    });
  }
}
