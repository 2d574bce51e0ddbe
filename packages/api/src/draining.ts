import { SignalboxError } from "@signalbox/contracts";
import type { System } from "@signalbox/engine";
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route answers a refusal in its own protocol, so the common hook leaves it alone. */
    refusesByItself?: boolean;
  }
}

export type KnowsReadiness = { readonly readiness: Pick<System["readiness"], "current"> };

export function refuseWhileDraining({ readiness }: KnowsReadiness): void {
  if (readiness.current().status !== "draining") return;
  throw stopping();
}

const stopping = () => new SignalboxError("UNAVAILABLE", "The process is stopping. Send the request again.");

/** Requests that arrive once the stop has begun. /readyz goes on saying why. */
export const drainingHook =
  (system: KnowsReadiness) =>
  (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (system.readiness.current().status !== "draining") {
      done();
      return;
    }
    const { url, config } = request.routeOptions;
    if (request.raw.httpVersionMajor === 1) reply.header("connection", "close");
    const refused = url !== "/readyz" && config.refusesByItself !== true;
    done(refused ? stopping() : undefined);
  };
