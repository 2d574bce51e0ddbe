import type { Came } from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
import type { Transport } from "./transport.ts";

/** What a sign-in is counted by and known by later. */
export const cameFrom = ({ identification }: Transport, request: FastifyRequest): Came => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers["user-agent"],
  replaces: identification.sessionTokenOf(request),
  onFailure: (err, what) => request.log.error({ err }, `${what} failed; the sign-in stands`),
});
