import { SignalboxError } from "@signalbox/contracts";
import type { System } from "@signalbox/engine";
import type { FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route answers a refusal in its own protocol, so the common hook leaves it alone. */
    refusesByItself?: boolean;
  }
}

export function refuseWhileDraining({ readiness }: Pick<System, "readiness">): void {
  if (readiness.current().status !== "draining") return;
  throw new SignalboxError("UNAVAILABLE", "The process is stopping. Send the request again.");
}

/** Requests that arrive once the stop has begun. /readyz goes on saying why. */
export const drainingHook =
  (system: Pick<System, "readiness">) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (system.readiness.current().status !== "draining") return;
    const { url, config } = request.routeOptions;
    if (request.raw.httpVersionMajor === 1) reply.header("connection", "close");
    if (url !== "/readyz" && config.refusesByItself !== true) refuseWhileDraining(system);
  };
