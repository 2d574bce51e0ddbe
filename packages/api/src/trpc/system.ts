import { SignalboxError } from "@signalbox/contracts";
import { followReadiness } from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
import { publicProcedure, router } from "./procedures.ts";

const protocols = ["REST", "tRPC", "WebSocket", "Connect", "gRPC-web", "gRPC"] as const;

const mostSubscriptions = 16;
const listening = new WeakMap<FastifyRequest, number>();

/** tRPC lets one connection subscribe without end, and nobody has to sign in for this. */
function joinListeners(request: FastifyRequest): () => void {
  const count = listening.get(request) ?? 0;
  if (count >= mostSubscriptions) {
    const detail = `A connection follows readiness at most ${mostSubscriptions} times at once.`;
    throw new SignalboxError("RATE_LIMITED", detail);
  }
  listening.set(request, count + 1);
  return () => listening.set(request, (listening.get(request) ?? 1) - 1);
}

/** What anybody who reaches the port may know, as /healthz and /readyz are open too. */
export const systemRouter = router({
  about: publicProcedure.query(({ ctx }) => {
    const { orchestrator, startedAt } = ctx.transport.system;
    return { version: orchestrator.version, startedAt: startedAt.toISOString(), protocols };
  }),
  readiness: publicProcedure.subscription(async function* ({ ctx, signal }) {
    const over = signal ?? AbortSignal.abort();
    const leave = joinListeners(ctx.request);
    try {
      for await (const { status, checks, at } of followReadiness(ctx.transport.system.readiness, over)) {
        yield { status, checks, at: at.toISOString() };
      }
    } finally {
      leave();
    }
  }),
});
