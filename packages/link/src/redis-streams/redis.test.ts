import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { whyAway } from "@signalbox/engine";
import { expect, test, vi } from "vitest";
import { connectRedis } from "./redis.ts";

test("an address that the client does not read is told like a Redis that does not answer, and ends nothing", async () => {
  const told: string[] = [];
  const redis = connectRedis("redis://127.0.0.1/words", (error, what) =>
    told.push(`${what}: ${String(error)}`),
  );
  await expect(redis.call("PING")).rejects.toThrow("Invalid pathname");
  await redis.close();
  expect(told).toEqual(["reaching Redis: TypeError: Invalid pathname"]);
});

test("a Redis that is away is told as that, and never taken for a database that is away", async () => {
  const told: unknown[] = [];
  const redis = connectRedis("redis://127.0.0.1:1", (error) => void told.push(error));
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect(String(told[0])).toMatch(/^Error: Redis does not answer: .*ECONNREFUSED/);
  expect(whyAway(told[0])).toBeUndefined();
  await redis.close();
});

test("what is asked while the first connection is made waits for it", async () => {
  const server = createServer((socket) =>
    socket.on("data", (said) => {
      for (const _ of String(said).matchAll(/^\*\d+\r\n/gm)) socket.write("+PONG\r\n");
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const told: unknown[] = [];
  const { port } = server.address() as AddressInfo;
  const redis = connectRedis(`redis://127.0.0.1:${port}`, (error) => void told.push(error));
  expect(String(await redis.call("PING"))).toBe("PONG");
  await redis.close();
  server.close();
  expect(told).toEqual([]);
});
