import { SignalboxError } from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * MCP, streamable HTTP, "Security Warning": a page that has its own name point at this machine must not talk to it. The host
 * asked for is the one this server is known by, or this machine itself; an Origin, which only browsers send, is the same.
 */
export function refuseForeign(request: FastifyRequest, publicUrl: URL | undefined): void {
  const host = URL.parse(`http://${request.host}`);
  const bound = request.raw.socket.localAddress;
  const known =
    host !== null &&
    (host.host === publicUrl?.host ||
      loopback.has(host.hostname) ||
      host.hostname === bound ||
      host.hostname === `[${bound}]`);
  if (!known)
    throw refuse("Host", "is not a name of this server; set PUBLIC_URL to the name it is reached by");
  const { origin } = request.headers;
  if (origin === undefined) return;
  const from = URL.parse(origin);
  if (from !== null && (from.host === host?.host || from.origin === publicUrl?.origin)) return;
  throw refuse("Origin", "is not this server's");
}

const refuse = (field: string, message: string) =>
  new SignalboxError("FORBIDDEN", "MCP is not for pages of other sites.", {
    violations: [{ field, rule: "own", message }],
  });
