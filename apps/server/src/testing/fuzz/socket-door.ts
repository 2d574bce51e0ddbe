import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Random } from "../seeded-random.ts";
import type { Door, Worker, Yard } from "./door.ts";
import { faultOfText, shownRequest } from "./findings.ts";
import { mutatedBytes } from "./mutate-bytes.ts";
import { mutatedJson } from "./mutate-json.ts";
import { inputOf, procedureOf } from "./trpc-door.ts";

const topics = [
  "tenant",
  "escalations",
  "registry",
  "alerts",
  "pipeline/x",
  "audit",
  "__proto__",
  "pipeline/",
];
const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** RFC 6455 §5.2; the caller says what its first byte is, and may lie about the length. */
function socketFrame(
  first: number,
  payload: Buffer,
  { masked = true, length = payload.length } = {},
): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const head = Buffer.alloc(size);
  head[0] = first;
  head[1] = (masked ? 0x80 : 0) | (size === 2 ? length : size === 4 ? 126 : 127);
  if (size === 4) head.writeUInt16BE(length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (!masked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at & 3] ?? 0))]);
}

const whole = (opcode: number, payload: string | Buffer): Buffer =>
  socketFrame(0x80 | opcode, Buffer.from(payload));

function brokenFrame(random: Random, payload: Buffer): Buffer {
  const forms = [
    () => socketFrame(0x80 | random.between(3, 7), payload),
    () => socketFrame(0xc0 | opcodes.text, payload),
    () => socketFrame(opcodes.text, payload),
    () => socketFrame(0x80, payload),
    () => socketFrame(0x80 | opcodes.text, payload, { masked: false }),
    () => socketFrame(0x80 | opcodes.text, payload, { length: 2 ** 40 }),
    () => socketFrame(0x80 | opcodes.close, Buffer.from([0])),
    () => socketFrame(0x80 | opcodes.close, Buffer.from([0, 1, 0xff])),
    () => socketFrame(0x80 | opcodes.ping, Buffer.alloc(200)),
    () => whole(opcodes.text, Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80])),
    () => mutatedBytes(random, whole(opcodes.text, payload)),
  ];
  return random.pick(forms)();
}

function streamMessage({ live }: Yard, random: Random): Buffer {
  const pipelineId = live.take(random, "pipelineId");
  const topic =
    random.chance(0.3) && pipelineId !== undefined ? `pipeline/${pipelineId}` : random.pick(topics);
  const after = live.take(random, "cursor");
  const said = random.pick([
    { type: "subscribe", topic },
    { type: "subscribe", topic, after: after ?? "W10" },
    { type: "unsubscribe", topic },
  ]);
  return Buffer.from(random.chance(0.6) ? JSON.stringify(said) : mutatedJson(random, said));
}

function trpcMessage(yard: Yard, random: Random): Buffer {
  const one = () => {
    const { path, type } = procedureOf(yard, random);
    const said = {
      id: random.between(0, 9),
      jsonrpc: "2.0",
      method: random.chance(0.1) ? "subscription.stop" : type,
      params: { path },
    };
    const text = random.chance(0.7) ? JSON.stringify(said) : mutatedJson(random, said);
    return text.endsWith('"}}') ? `${text.slice(0, -2)},"input":${inputOf(yard, random)}}}` : text;
  };
  if (random.chance(0.05))
    return Buffer.from(random.pick(["PING", "PONG", "", "[]", "null", "[[]]", '"PING"']));
  return Buffer.from(
    random.chance(0.8) ? one() : `[${Array.from({ length: random.between(1, 5) }, one).join(",")}]`,
  );
}

type Ways = { name: string; target: string; message: (yard: Yard, random: Random) => Buffer };

function socketDoor({ name, target, message }: Ways, share: number, workers: number): Door {
  return {
    name,
    share,
    workers,
    open: (yard, random): Worker => ({
      close: () => undefined,
      async next() {
        const frames = Array.from({ length: random.between(5, 60) }, () => {
          const payload = message(yard, random);
          if (random.chance(0.97))
            return whole(random.chance(0.98) ? opcodes.text : random.pick([2, 9, 10]), payload);
          return brokenFrame(random, payload);
        });
        const socket = connect(yard.port, "127.0.0.1");
        const heard = await talk(socket, { target, credential: random.pick(yard.credentials) }, frames);
        yard.live.harvest(heard);
        const fault =
          faultOfText(heard) ?? (/^HTTP\/1\.1 (101|4\d\d) /.test(heard) ? undefined : "no answer");
        const sent = shownRequest(Buffer.concat(frames));
        if (fault !== undefined) yard.findings.add({ door: name, fault, sent, told: heard.slice(-600) });
        return frames.length;
      },
    }),
  };
}

type Handshake = { target: string; credential: Readonly<Record<string, string>> };

/** Says all of it, and then that this was all; hears what comes until the server ends it. */
function talk(socket: Socket, { target, credential }: Handshake, frames: Buffer[]): Promise<string> {
  const headers = { host: "127.0.0.1", upgrade: "websocket", connection: "Upgrade", ...credential };
  const key = { "sec-websocket-key": randomBytes(16).toString("base64"), "sec-websocket-version": "13" };
  const lines = Object.entries({ ...headers, ...key }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve) => {
    let heard = "";
    const timer = setTimeout(() => socket.destroy(), 10_000);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(heard);
    });
    socket.on("end", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      const first = heard === "";
      if (heard.length < 200_000) heard += chunk.toString("latin1");
      if (!first) return;
      if (!heard.startsWith("HTTP/1.1 101")) return void socket.destroy();
      socket.write(Buffer.concat([...frames, whole(opcodes.close, Buffer.from([3, 232]))]));
    });
    socket.write(`GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

export const streamDoor = socketDoor(
  { name: "/v1/stream", target: "/v1/stream", message: streamMessage },
  0.1,
  4,
);
export const trpcSocketDoor = socketDoor(
  { name: "tRPC WebSocket", target: "/trpc", message: trpcMessage },
  0.08,
  4,
);
