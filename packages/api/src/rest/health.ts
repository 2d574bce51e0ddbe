import type { ReadinessWatcher } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";

/** For whoever keeps the process running: is it alive, and may it be sent work? Neither asks the database. */
export async function healthPlugin(
  app: FastifyInstance,
  { readiness }: { readiness: Pick<ReadinessWatcher, "current"> },
): Promise<void> {
  const open = { logLevel: "warn", config: { unlimited: true } } as const;
  app.get("/healthz", open, async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { status: "alive" };
  });
  app.get("/readyz", open, async (_request, reply) => {
    const { status, checks, at } = readiness.current();
    reply.header("cache-control", "no-store").code(status === "ready" ? 200 : 503);
    return { status, checks, at: at.toISOString() };
  });
}
