import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ReadOperation } from "../open-api.ts";
import type { Random } from "../seeded-random.ts";
import type { Door, Yard } from "./door.ts";
import { contentTypes, hostileNames } from "./hostile.ts";
import { mutatedBytes } from "./mutate-bytes.ts";
import { mutatedJson } from "./mutate-json.ts";
import { headersOf, rawSender } from "./send-raw.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export const restDoor: Door = {
  name: "REST",
  share: 0.4,
  workers: 24,
  open(yard, random) {
    const { send, close } = rawSender("REST", yard, random);
    return {
      close,
      async next() {
        const operation = random.pick(yard.corpus.operations);
        const method = random.chance(0.03) ? random.pick(methods) : operation.method;
        const { type, body } = bodyOf(operation, yard, random);
        const headers: [string, string][] = [
          ["host", "127.0.0.1"],
          ...Object.entries(random.pick(yard.credentials)),
          ...(type === undefined ? [] : [["content-type", type] as [string, string]]),
          ...headersOf(random),
        ];
        await send(
          { method, target: targetOf(operation, yard, random), headers, body },
          {
            mayWait: operation.operationId === "lease",
          },
        );
        return 1;
      },
    };
  },
};

function targetOf({ path, parameters }: ReadOperation, { live }: Yard, random: Random): string {
  const nameFor = (kind: string, example: string): string => {
    if (random.chance(0.25)) return random.pick(hostileNames);
    const name = random.chance(0.7) ? live.take(random, kind) : undefined;
    return encodeURIComponent(name ?? example);
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    nameFor(name, parameters.find((one) => one.name === name)?.example ?? "x"),
  );
  const known = parameters.filter((one) => one.in === "query");
  const names = random.chance(0.2)
    ? [...known.map(({ name }) => name), "__proto__", "limit", "cursor", "x"]
    : [];
  const asked = known
    .filter(() => random.chance(0.4))
    .map(({ name, example = "1" }) => `${name}=${nameFor(name, example)}`)
    .concat(names.filter(() => random.chance(0.3)).map((name) => `${name}=${random.pick(hostileNames)}`));
  return asked.length === 0 ? filled : `${filled}?${asked.join("&")}`;
}

type Body = { type: string | undefined; body: Buffer | undefined };

function bodyOf(operation: ReadOperation, { corpus, live }: Yard, random: Random): Body {
  const [media] = Object.entries(operation.requestBody?.content ?? {});
  if (media === undefined && random.chance(0.9)) return { type: undefined, body: undefined };
  const [type = "application/json", { example } = { example: {} }] = media ?? [];
  const others = corpus.bodiesOf(operation);
  const source = random.chance(0.03)
    ? random.pick(corpus.vectors).json
    : others.length > 0 && random.chance(0.5)
      ? random.pick(others).json
      : example;
  const text =
    typeof source === "string" && type !== "application/json" ? source : mutatedJson(random, source);
  const spoken = random.chance(0.7) ? live.putInto(random, text) : text;
  return {
    type: random.chance(0.05) ? random.pick(contentTypes) : type,
    body: encoded(spoken, typeof source === "string" ? 0.9 : 0.1, random),
  };
}

/** Mostly UTF-8 and whole. */
function encoded(text: string, broken: number, random: Random): Buffer {
  const bytes = Buffer.from(text);
  if (random.chance(broken)) return mutatedBytes(random, bytes);
  if (random.chance(0.95)) return bytes;
  const forms = [
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, "utf16le"),
    () => Buffer.from(text, "latin1"),
    () => gzipSync(bytes),
    () => brotliCompressSync(bytes),
    () => Buffer.alloc(0),
    () => Buffer.concat([bytes, bytes]),
  ];
  return random.pick(forms)();
}
