import { leaseTasks } from "@signalbox/engine";
import { callsOf, createAgentAtWork, workAlone } from "./agent-at-work.ts";
import type { Way } from "./way.ts";

/** The agent asks, as it would over REST or gRPC; its heartbeats tell it what to stop. */
export const leaseWay: Way = {
  name: "lease",
  adapter: undefined,
  async start(engine, { packId, instanceId }) {
    const agent = createAgentAtWork();
    const stopping = new AbortController();
    const { asked } = callsOf(engine, instanceId);
    const run = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const request = { packId, instanceId, maxTasks: 50, waitMs: 1_000 };
        const { envelopes } = await leaseTasks(engine, asked, request, stopping.signal);
        for (const envelope of envelopes) void workAlone(engine, instanceId, agent.begin(envelope));
      }
    };
    const running = run();
    return {
      address: "",
      stopped: agent.stopped,
      hear: (dispatchIds) => {
        for (const dispatchId of dispatchIds) agent.tellToStop(dispatchId);
      },
      async stop() {
        stopping.abort();
        await running;
      },
    };
  },
};
