import { once } from "node:events";
import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AgentService, AgentTransport } from "@signalbox/contracts";
import { agentHosts } from "../agent-hosts.ts";
import { createGrpcAdapter } from "../grpc/adapter.ts";
import { callsOf, createAgentAtWork } from "./agent-at-work.ts";
import type { Way } from "./way.ts";

/** The agent serves AgentService and answers within the call; one dies by losing its connection, with all that it carries. */
export const grpcWay = (): Way => ({
  name: "grpc",
  adapter: {
    transport: AgentTransport.GRPC,
    adapter: createGrpcAdapter({ hosts: agentHosts(["127.0.0.1:*"]), signer: () => "token" }),
  },
  async start(engine, { instanceId }) {
    const agent = createAgentAtWork();
    const sessions = new Set<Http2Session>();
    const server = createServer(
      connectNodeAdapter({
        routes: (router) =>
          router.service(AgentService, {
            async runAgent({ envelope }, { signal }) {
              if (envelope === undefined) throw new Error("no envelope");
              const { work, result, said } = agent.begin(envelope);
              // A channel that stays open is work: this one is taken, and nobody renews it.
              if (work.ending === "die") return {};
              signal.addEventListener("abort", () => undefined);
              await said;
              if (work.ending === "answer-twice") await callsOf(engine, instanceId).report(result);
              return { result };
            },
            cancelAgent: ({ dispatchId }) => ({ wasRunning: agent.tellToStop(dispatchId) }),
          }),
      }),
    ).listen(0, "127.0.0.1");
    server.on("session", (session) => sessions.add(session));
    await once(server, "listening");
    return {
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      stopped: agent.stopped,
      async stop() {
        for (const session of sessions) session.destroy();
        server.close();
      },
    };
  },
});
