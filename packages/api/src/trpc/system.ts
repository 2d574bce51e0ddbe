import { followReadiness } from "@signalbox/engine";
import { publicProcedure, router } from "./procedures.ts";

const protocols = ["REST", "tRPC", "WebSocket", "Connect", "gRPC-web", "gRPC"] as const;

/** What anybody who reaches the port may know, as /healthz and /readyz are open too. */
export const systemRouter = router({
  about: publicProcedure.query(({ ctx }) => {
    const { orchestrator, startedAt } = ctx.transport.system;
    return { version: orchestrator.version, startedAt: startedAt.toISOString(), protocols };
  }),
  readiness: publicProcedure.subscription(async function* ({ ctx, signal }) {
    const over = signal ?? AbortSignal.abort();
    for await (const { status, checks, at } of followReadiness(ctx.transport.system.readiness, over)) {
      yield { status, checks, at: at.toISOString() };
    }
  }),
});
