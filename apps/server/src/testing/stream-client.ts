import { once } from "node:events";
import { type StreamMessage, StreamMessageSchema } from "@signalbox/contracts/stream";
import { vi } from "vitest";
import { WebSocket } from "ws";
import { bearer, type TestServer } from "./test-server.ts";

type OfType<T extends StreamMessage["type"]> = Extract<StreamMessage, { type: T }>;

/** A reader as any program would be one: `ws`, and what the contract says that it is sent. */
export type StreamClient = {
  readonly socket: WebSocket;
  readonly heard: readonly StreamMessage[];
  readonly all: <T extends StreamMessage["type"]>(type: T) => OfType<T>[];
  readonly send: (message: object | string) => void;
  /** Of such a type, once there are so many. */
  readonly wait: <T extends StreamMessage["type"]>(type: T, count?: number) => Promise<OfType<T>[]>;
  readonly subscribe: (topic: string, after?: string) => Promise<void>;
  readonly closed: Promise<{ code: number; reason: string }>;
};

export async function streamClient(
  { origin }: Pick<TestServer, "origin">,
  headers: Record<string, string>,
): Promise<StreamClient> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/v1/stream`, { headers });
  const heard: StreamMessage[] = [];
  socket.on("message", (data: Buffer) => heard.push(StreamMessageSchema.parse(JSON.parse(data.toString()))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason: Buffer) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, "open");
  const all = <T extends StreamMessage["type"]>(type: T) =>
    heard.filter((message): message is OfType<T> => message.type === type);
  const wait = async <T extends StreamMessage["type"]>(type: T, count = 1) => {
    await vi.waitFor(() => {
      if (all(type).length < count)
        throw new Error(`heard ${all(type).length} of ${count} ${type}: ${JSON.stringify(heard.slice(-3))}`);
    }, 15_000);
    return all(type);
  };
  const send = (message: object | string): void =>
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  return {
    socket,
    heard,
    all,
    send,
    wait,
    async subscribe(topic, after) {
      const before = all("subscribed").length;
      send({ type: "subscribe", topic, after });
      await wait("subscribed", before + 1);
    },
    closed,
  };
}

export const keyedClient = (server: TestServer, key = server.adminKey): Promise<StreamClient> =>
  streamClient(server, bearer(key));
