import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Random } from "../seeded-random.ts";
import type { Call } from "./corpus.ts";
import type { LiveNames } from "./live-names.ts";
import { mutatedBytes } from "./mutate-bytes.ts";
import { mutatedJson } from "./mutate-json.ts";

/** A message of a call in one of its two forms, mostly broken somewhere. */
export function messageOf({ samples }: Call, live: LiveNames, random: Random, json: boolean): Buffer {
  const { json: value, binary } =
    samples.length === 0 ? { json: {}, binary: Buffer.alloc(0) } : random.pick(samples);
  if (!json) return random.chance(0.15) ? Buffer.from(binary) : mutatedBytes(random, binary);
  const text = mutatedJson(random, value);
  const bytes = Buffer.from(random.chance(0.7) ? live.putInto(random, text) : text);
  return random.chance(0.1) ? mutatedBytes(random, bytes) : bytes;
}

function envelope(flags: number, length: number, message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flags);
  prefix.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([prefix, message]);
}

const zeros = gzipSync(Buffer.alloc(6 << 20));

const whole = (flags: number, bytes: Buffer): Buffer => envelope(flags, bytes.length, bytes);

/** A frame of gRPC, gRPC-web or a Connect stream, whose five bytes before the message may lie. */
export function frameOf(random: Random, message: Buffer): Buffer {
  if (random.chance(0.7)) return whole(0, message);
  const forms = [
    () => envelope(0, message.length + random.between(1, 1_000), message),
    () => envelope(0, Math.max(0, message.length - random.between(1, 10)), message),
    () => envelope(0, random.pick([0xff_ff_ff_ff, 0x7f_ff_ff_ff, 1 << 24]), message),
    () => whole(random.pick([1, 2, 3, 0x80, 0x81, 0xff, 4]), message),
    () => whole(1, gzipSync(message)),
    () => whole(1, brotliCompressSync(message)),
    () => whole(1, gzipSync(message).subarray(0, -4)),
    () => whole(1, zeros),
    () => whole(0, Buffer.alloc(0)),
    () => Buffer.concat([whole(0, message), whole(0, message)]),
    () => Buffer.concat([whole(0, message), Buffer.from([0, 0])]),
    () => whole(0, message).subarray(0, random.between(0, 5)),
    () => Buffer.alloc(0),
  ];
  return random.pick(forms)();
}
