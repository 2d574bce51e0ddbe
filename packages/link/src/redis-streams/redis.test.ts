import { expect, test } from "vitest";
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
