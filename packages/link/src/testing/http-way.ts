import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { toJsonString } from "@bufbuild/protobuf";
import {
  AgentResultSchema,
  AgentTransport,
  CancelAgentRequestSchema,
  decodeMessageJson,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { agentHosts } from "../agent-hosts.ts";
import { createHttpAdapter } from "../http/adapter.ts";
import { createAgentAtWork, workAlone } from "./agent-at-work.ts";
import type { Way } from "./way.ts";

/** The agent takes envelopes at its address: what is quick is answered in the call, and the rest is reported by itself. */
export const httpWay = (): Way => ({
  name: "http",
  adapter: {
    transport: AgentTransport.HTTP,
    adapter: createHttpAdapter({ hosts: agentHosts(["127.0.0.1:*"]), signer: () => "token" }),
  },
  async start(engine, { instanceId }) {
    const agent = createAgentAtWork();
    const answerTo = async (request: IncomingMessage): Promise<{ status: number; body?: string }> => {
      const body = await buffer(request);
      if (request.url?.endsWith("/cancel") === true) {
        agent.tellToStop(decodeMessageJson(CancelAgentRequestSchema, body).dispatchId);
        return { status: 204 };
      }
      const begun = agent.begin(decodeMessageJson(TaskEnvelopeSchema, body));
      if (begun.work.ending === "answer" && begun.work.afterMs === 0)
        return { status: 200, body: toJsonString(AgentResultSchema, begun.result) };
      if (begun.work.ending === "die") request.socket.destroy();
      void workAlone(engine, instanceId, begun);
      return { status: 202 };
    };
    const server = createServer((request, response) => {
      void answerTo(request).then(({ status, body }) => response.writeHead(status).end(body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`,
      stopped: agent.stopped,
      async stop() {
        server.close();
        server.closeAllConnections();
      },
    };
  },
});
