import type { Random } from "../seeded-random.ts";

const insertions = [
  "ff",
  "00",
  "8080808080808080808001",
  "ffffffff0f",
  "0a",
  "efbbbf",
  "eda080",
  "0800",
  "7b",
  "5d",
  "e28080",
];

/** Bytes that were sound, broken at one to four places. */
export function mutatedBytes(random: Random, source: Uint8Array): Buffer {
  let bytes: Buffer<ArrayBuffer> = Buffer.from(source);
  for (let times = random.between(1, 4); times > 0; times -= 1) bytes = broken(random, bytes);
  return bytes;
}

function broken(random: Random, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const at = random.between(0, bytes.length);
  const until = Math.min(bytes.length, at + random.between(1, 40));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const forms = [
    () => {
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      return bytes;
    },
    () => {
      if (at < bytes.length) bytes[at] = random.between(0, 255);
      return bytes;
    },
    () => Buffer.from(before),
    () => Buffer.concat([before, Buffer.from(random.pick(insertions), "hex"), after]),
    () => Buffer.concat([before, bytes.subarray(until)]),
    () => Buffer.concat([before, bytes.subarray(at, until), after]),
    () => Buffer.concat([bytes, bytes]).subarray(0, 100_000),
  ];
  return random.pick(forms)();
}
