import type { Random } from "../seeded-random.ts";
import type { Door, Yard } from "./door.ts";
import { hostileNames } from "./hostile.ts";
import { mutatedBytes } from "./mutate-bytes.ts";
import { mutatedJson } from "./mutate-json.ts";
import { headersOf, rawSender } from "./send-raw.ts";

const inputs: readonly unknown[] = [
  { limit: 10 },
  { limit: 1, cursor: "W10" },
  { packId: "senior-ts-dev", packVersion: "1.4.0" },
  { packId: "senior-ts-dev", version: "1.4.0" },
  { keyId: "0199a7c0-5f2e-7b31-8c44-0000000000a2" },
  { memberId: "0199a7c0-5f2e-7b31-8c44-0000000000a1" },
  { memberId: "0199a7c0-5f2e-7b31-8c44-0000000000a1", role: "viewer", status: "active" },
  { sessionId: "0199a7c0-5f2e-7b31-8c44-0000000000a3" },
  { email: "ada@example.org", name: "Ada", role: "viewer" },
  { label: "a program", role: "viewer", packIds: ["senior-ts-dev"], expiresInDays: 30 },
];

export function procedureOf({ corpus }: Yard, random: Random): { path: string; type: string } {
  const known = random.pick(corpus.procedures);
  return random.chance(0.95)
    ? known
    : { path: random.pick(["__proto__", "packs", "packs.list.x", "then", ""]), type: known.type };
}

export function inputOf({ live }: Yard, random: Random): string {
  const input = random.pick(inputs);
  return live.putInto(random, mutatedJson(random, input));
}

/** tRPC over HTTP: single calls and batches, some longer than a batch may be. */
export const trpcDoor: Door = {
  name: "tRPC",
  share: 0.1,
  workers: 8,
  open(yard, random) {
    const { send, close } = rawSender("tRPC", yard, random);
    return {
      close,
      async next() {
        const count = random.chance(0.5)
          ? 1
          : random.chance(0.9)
            ? random.between(2, 20)
            : random.between(21, 40);
        const chosen = Array.from({ length: count }, () => procedureOf(yard, random));
        const type = random.chance(0.9) ? (chosen[0]?.type ?? "query") : "mutation";
        const paths = chosen.map(({ path }) => path).join(",");
        const input = count === 1 ? inputOf(yard, random) : batchOf(count, yard, random);
        const bytes = random.chance(0.1) ? mutatedBytes(random, Buffer.from(input)) : Buffer.from(input);
        const batch =
          count === 1 && random.chance(0.9) ? "" : `batch=${random.pick(["1", "1", "1", "0", "true", "%"])}`;
        const asked = random.chance(0.05)
          ? random.pick(hostileNames)
          : encodeURIComponent(bytes.toString("utf8").toWellFormed()).slice(0, 6_000);
        const method = type === "mutation" ? "POST" : "GET";
        const query = method === "GET" ? `?${batch}&input=${asked}` : `?${batch}`;
        const headers: [string, string][] = [
          ["host", "127.0.0.1"],
          ...Object.entries(random.pick(yard.credentials)),
          ...(method === "POST" ? [["content-type", "application/json"] as [string, string]] : []),
          ...headersOf(random),
        ];
        const body = method === "POST" ? bytes : undefined;
        // What is subscribed to over HTTP is refused; were it not, nobody would wait for its end.
        await send({ method, target: `/trpc/${paths}${query}`, headers, body });
        return count;
      },
    };
  },
};

const batchOf = (count: number, yard: Yard, random: Random): string =>
  `{${Array.from({ length: count }, (_, number) => `"${number}":${inputOf(yard, random)}`).join(",")}}`;
