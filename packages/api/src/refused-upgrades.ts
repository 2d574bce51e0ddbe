import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requestNote } from "./request-note.ts";

const upgrades = requestNote<true>();

/** Before whoever routes them: what is refused before the first hook has run is one too. */
export function rememberUpgrades(app: FastifyInstance): void {
  app.server.prependListener("upgrade", (raw: IncomingMessage) => upgrades.write(raw, true));
}

/**
 * Node has taken the connection of an upgrade off its parser, and ends it no more. What answers one with anything but an upgrade
 * ends it (RFC 9112 §9.6), or it stands open for as long as the process does, and a stop waits for it.
 */
export function endRefusedUpgrade({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (upgrades.read(raw) === undefined) return;
  reply.header("connection", "close");
  reply.raw.once("finish", () => raw.socket.destroySoon());
}
