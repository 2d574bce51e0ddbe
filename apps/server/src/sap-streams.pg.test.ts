import { createHash, randomBytes, randomUUID } from "node:crypto";
import { ensureTenant, insertKey, openDatabase } from "@signalbox/db";
import { isRedisHere, openSender, redisMissing, startRedis } from "@signalbox/link/testing";
import { expect, test } from "vitest";
import { startTestServer } from "./testing/test-server.ts";

/** An operator's key that is there before the server starts, for which the server is configured. */
async function keyIdIn(databaseUrl: string): Promise<string> {
  const database = openDatabase({ url: databaseUrl, applicationName: "test", maxConnections: 1 });
  try {
    return await database.inTenant("default", async (tx) => {
      await ensureTenant(tx, { name: "default" });
      const hash = createHash("sha256").update(randomBytes(24)).digest();
      const key = { hash, prefix: "sbx_", label: "gateway", role: "operator", createdBy: "test" };
      return (await insertKey(tx, key))?.keyId ?? "";
    });
  } finally {
    await database.close();
  }
}

test("§10 REDIS_URL and SIGNALBOX_SAP_STREAMS are a door of SAP V2.0, which the stop closes", async ({
  skip,
}) => {
  if (!isRedisHere) skip(redisMissing);
  const redis = await startRedis();
  const stream = { tenantId: "default", keyId: "" };
  const server = await startTestServer({
    redisUrl: redis.url,
    sapStreams: [stream],
    via: async (url) => {
      stream.keyId = await keyIdIn(url);
      return url;
    },
  });
  const sender = await openSender(redis.url, stream);
  try {
    const taskId = randomUUID();
    expect((await sender.read(taskId)).nack?.error.code).toBe("NOT_FOUND");
    await server.stop();
    const left = await sender.say({ read: taskId });
    expect(await sender.client.xRange(sender.tasks, left, left)).toHaveLength(1);
    expect(server.log()).not.toMatch(/"level":(50|60)/);
  } finally {
    await sender.stop();
    await server.dispose();
    await redis.stop();
  }
});
