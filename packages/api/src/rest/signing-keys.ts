import type { FastifyInstance } from "fastify";

/** With what agents verify that a call is Signalbox's own (RFC 7517). Public by nature: whoever verifies has no credential. */
export async function signingKeysPlugin(
  app: FastifyInstance,
  { keys }: { keys: readonly object[] },
): Promise<void> {
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=300");
    return { keys };
  });
}
