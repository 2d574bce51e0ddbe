import { createClient, RESP_TYPES } from "@redis/client";
import { toBinary } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  AgentTransport,
  decodeMessageBinary,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { createRedisStreamsAdapter } from "../redis-streams/adapter.ts";
import { readEntries } from "../redis-streams/entries.ts";
import { type AtWork, createAgentAtWork } from "./agent-at-work.ts";
import type { Way } from "./way.ts";

/** The agent knows Redis and nothing else: it reads its stream in a group, and says what it has to say on the other. */
export const redisWay = (url: string, onFailure: (error: unknown) => void = () => undefined): Way => ({
  name: "redis",
  adapter: {
    transport: AgentTransport.REDIS_STREAMS,
    adapter: createRedisStreamsAdapter({ url, onFailure }),
  },
  async start(_engine, { packId, instanceId }) {
    const prefix = `signalbox:{default/${packId}/${instanceId}}`;
    const agent = createAgentAtWork();
    const client = createClient({ url, RESP: 2 });
    const reader = client.duplicate();
    const listener = client.duplicate();
    for (const one of [client, reader, listener]) one.on("error", () => undefined);
    await Promise.all([client.connect(), reader.connect(), listener.connect()]);
    await listener.subscribe(`${prefix}:cancels`, (dispatchId) => void agent.tellToStop(dispatchId));
    const say = async (name: string, value: string | Uint8Array): Promise<void> => {
      await client.sendCommand([
        "XADD",
        `${prefix}:results`,
        "*",
        name,
        typeof value === "string" ? value : Buffer.from(value),
      ]);
    };
    const report = (result: AgentResult) => say("result", toBinary(AgentResultSchema, result));

    async function work({ work: { ending }, result, said }: AtWork, id: string): Promise<void> {
      if (ending === "die") return;
      const renewing = setInterval(() => void say("renew", result.dispatchId).catch(() => undefined), 300);
      try {
        await said;
        await report(result);
        if (ending === "answer-twice") await report(result);
      } catch {
        // Told to stop: it reports nothing.
      } finally {
        clearInterval(renewing);
      }
      await client.xAck(`${prefix}:work`, "agents", id).catch(() => undefined);
    }

    const stopping = new AbortController();
    async function run(): Promise<void> {
      const bytes = reader.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
      while (!stopping.signal.aborted) {
        const args = [
          "GROUP",
          "agents",
          "process-1",
          "COUNT",
          "10",
          "BLOCK",
          "200",
          "STREAMS",
          `${prefix}:work`,
          ">",
        ];
        const reply = await bytes.sendCommand<unknown>(["XREADGROUP", ...args]).catch(() => null);
        for (const [, entries] of readEntries(reply))
          for (const { id, fields } of entries) {
            const envelope = decodeMessageBinary(
              TaskEnvelopeSchema,
              fields.get("envelope") ?? new Uint8Array(),
            );
            void work(agent.begin(envelope), id);
          }
        if (reply === null) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    const running = run();
    return {
      address: "",
      stopped: agent.stopped,
      async stop() {
        stopping.abort();
        await running;
        for (const one of [client, reader, listener]) one.destroy();
      },
    };
  },
});
