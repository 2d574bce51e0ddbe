import { gzipSync } from "node:zlib";
import type { Random } from "../seeded-random.ts";
import type { Call } from "./corpus.ts";
import type { Door, Yard } from "./door.ts";
import { frameOf, messageOf } from "./envelope.ts";
import { contentTypes, hostileNames } from "./hostile.ts";
import { headersOf, rawSender } from "./send-raw.ts";

const framed = [
  "application/grpc-web",
  "application/grpc-web+proto",
  "application/grpc-web+json",
  "application/connect+proto",
  "application/connect+json",
];

/** What a caller of this would be held back for: a lease until there is work, a watch for ever. */
export const isHeld = ({ name }: Call): boolean => ["Lease", "Watch", "ServerReflectionInfo"].includes(name);

export const callOf = ({ corpus }: Yard, random: Random): Call =>
  random.pick(random.chance(0.9) ? corpus.calls : corpus.openCalls);

/** Connect with one message a request, and gRPC-web and Connect with messages in frames, over HTTP/1.1. */
export const connectDoor: Door = {
  name: "Connect, gRPC-web",
  share: 0.2,
  workers: 12,
  open(yard, random) {
    const { send, close } = rawSender("Connect, gRPC-web", yard, random);
    return {
      close,
      async next() {
        const call = callOf(yard, random);
        const { type, body } = random.chance(0.5) ? unary(call, yard, random) : frames(call, yard, random);
        const method = random.chance(0.03) ? "GET" : "POST";
        const asked = `?connect=v1&encoding=${random.pick(["json", "proto", "x"])}&message=${random.pick(hostileNames)}&base64=1`;
        const headers: [string, string][] = [
          ["host", "127.0.0.1"],
          ...Object.entries(random.pick(yard.credentials)),
          ["content-type", random.chance(0.04) ? random.pick(contentTypes) : type],
          ...headersOf(random),
        ];
        const target = method === "GET" ? call.path + asked : call.path;
        await send(
          { method, target, headers, body: method === "GET" ? undefined : body },
          { mayWait: isHeld(call) },
        );
        return 1;
      },
    };
  },
};

function unary(call: Call, { live }: Yard, random: Random) {
  const json = random.chance(0.6);
  const message = messageOf(call, live, random, json);
  const type = random.chance(0.97) === json ? "application/json" : "application/proto";
  return { type, body: random.chance(0.02) ? gzipSync(message) : message };
}

function frames(call: Call, { live }: Yard, random: Random) {
  const type = random.pick(framed);
  const message = messageOf(call, live, random, type.endsWith("json"));
  return { type, body: frameOf(random, message) };
}
