import { once } from "node:events";
import { StreamMessageSchema } from "@signalbox/contracts/stream";
import { topicKinds } from "@signalbox/core";
import { WebSocket } from "ws";
import type { Asker } from "./askers.ts";
import { type Asked, type Said, verdictOf } from "./door.ts";
import { topicSamples } from "./samples.ts";
import { named, type Things } from "./things.ts";

/** Every topic of the stream, each on a connection of its own. */
export const askedTopics = (origin: string): Asked[] =>
  topicKinds.map((kind) => {
    const topic = kind === "pipeline" ? "pipeline:{pipelineId}" : kind;
    const ask = async (asker: Asker, things: Things): Promise<Said> => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/v1/stream`, { headers: asker.headers() });
      try {
        const status = await entered(socket);
        if (status !== 101) return { verdict: verdictOf(status), told: String(status) };
        socket.send(JSON.stringify({ type: "subscribe", topic: named(topic, things) }));
        const [data] = await once(socket, "message");
        const message = StreamMessageSchema.parse(JSON.parse(String(data)));
        if (message.type !== "error") return { verdict: "let in", told: message.type };
        const { code, detail } = message.problem;
        return { verdict: code === "FORBIDDEN" ? 403 : "let in", told: `${code} ${detail}` };
      } finally {
        socket.terminate();
      }
    };
    return { name: kind, actions: topicSamples[kind] ?? [], names: topic.includes("{"), ask };
  });

/** The status that the upgrade is answered with. */
function entered(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    socket.once("error", reject);
  });
}
