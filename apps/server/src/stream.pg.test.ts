import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { streamClient, keyedClient, type StreamClient } from "./testing/stream-client.ts";
import { bearer, manifestJson, register, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
const open: StreamClient[] = [];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  for (const { socket } of open) socket.terminate();
  await server.dispose();
});

const reader = async (key?: string): Promise<StreamClient> => {
  const client = await keyedClient(server, key);
  open.push(client);
  return client;
};
const refusedWith = async (headers: Record<string, string>): Promise<number> => {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/v1/stream`, { headers });
  socket.on("error", () => undefined);
  const [, response] = await once(socket, "unexpected-response");
  return (response as { statusCode: number }).statusCode;
};
const heardBy = ({ all }: StreamClient) => all("event").filter(({ kind }) => kind === "instance.heard");
const packIds = (client: StreamClient) => client.all("event").map(({ data }) => data["packId"]);
const registerPacks = async (...names: string[]) => {
  for (const packId of names) expect((await register(server, manifestJson({ packId }))).status).toBe(201);
};

describe("who may come in", () => {
  test("nobody without credentials, with a wrong key, or with an agent's", async () => {
    expect(await refusedWith({})).toBe(401);
    expect(await refusedWith(bearer("x".repeat(40)))).toBe(401);
    expect(await refusedWith(bearer(await server.keyOf("agent")))).toBe(403);
  });

  test("a session's cookie counts only from Signalbox's own pages", async () => {
    const answer = await fetch(`${server.origin}/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: server.signInToken }),
    });
    const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    expect(await refusedWith({ cookie, origin: "https://elsewhere.example" })).toBe(403);
    expect(await refusedWith({ cookie })).toBe(403);
    const own = await streamClient(server, { cookie, origin: server.origin });
    await own.subscribe("tenant");
    const signedOut = await fetch(`${server.origin}/v1/session`, {
      method: "DELETE",
      headers: { cookie, origin: server.origin },
    });
    expect(signedOut.status).toBeLessThan(300);
    expect(await own.closed).toMatchObject({ code: 4401 });
  });

  test("over plain HTTP it says what it is", async () => {
    const answer = await fetch(`${server.origin}/v1/stream`, { headers: bearer(server.adminKey) });
    expect(answer.status).toBe(426);
    expect(answer.headers.get("upgrade")).toBe("websocket");
    expect(await answer.json()).toMatchObject({ code: "MALFORMED_BODY", status: 426 });
  });
});

describe("what is told", () => {
  test("a subscription hears what happens from then on, and goes on after any of its cursors", async () => {
    const client = await reader();
    await client.subscribe("registry");
    await registerPacks("told-1", "told-2", "told-3");
    const events = await client.wait("event", 3);
    expect(events.map(({ topic, kind, data }) => [topic, kind, data["packId"]])).toEqual([
      ["registry", "pack.registered", "told-1"],
      ["registry", "pack.registered", "told-2"],
      ["registry", "pack.registered", "told-3"],
    ]);
    const again = await reader();
    await again.subscribe("registry", events[0]?.cursor);
    await again.wait("event", 2);
    const other = await reader();
    await other.subscribe("tenant", events[1]?.cursor);
    await other.wait("event", 1);
    await registerPacks("told-4");
    await Promise.all([again.wait("event", 3), other.wait("event", 2)]);
    expect(packIds(again)).toEqual(["told-2", "told-3", "told-4"]);
    expect(packIds(other)).toEqual(["told-3", "told-4"]);
  });

  test("what is unsubscribed is not told, and its cursor is where it stopped", async () => {
    const client = await reader();
    await client.subscribe("registry");
    await registerPacks("left-1");
    await client.wait("event", 1);
    client.send({ type: "unsubscribe", topic: "registry" });
    const [left] = await client.wait("unsubscribed");
    await registerPacks("left-2");
    await client.subscribe("registry", left?.cursor);
    await client.wait("event", 2);
    expect(packIds(client)).toEqual(["left-1", "left-2"]);
  });

  test("STREAM-16 a plain heartbeat is told on the registry alone, to nobody else, and its cursor goes on from where the feed is", async () => {
    const beat = async () => {
      const answer = await fetch(`${server.origin}/v1/heartbeats`, {
        method: "POST",
        headers: { ...bearer(await server.keyOf("agent")), "content-type": "application/json" },
        body: JSON.stringify({
          packId: "heard-1",
          instanceId: "one",
          health: { status: "HEALTH_STATUS_HEALTHY" },
        }),
      });
      expect(answer.status).toBe(200);
    };
    await registerPacks("heard-1");
    await beat();
    const [client, all, stranger] = await Promise.all([
      reader(),
      reader(),
      reader(await server.keyOf("admin", "strangers")),
    ]);
    await client.subscribe("registry");
    await all.subscribe("tenant");
    await stranger.subscribe("registry");
    // The first look of the watch learns where it begins: what comes behind it is told.
    const beating = setInterval(() => void beat(), 500);
    await vi
      .waitFor(() => expect(heardBy(client)).not.toEqual([]), 15_000)
      .finally(() => clearInterval(beating));
    const [told] = heardBy(client);
    expect(told).toMatchObject({ topic: "registry", pipelineId: null, data: {} });
    expect([...heardBy(all), ...heardBy(stranger)]).toEqual([]);
    const again = await reader();
    await again.subscribe("registry", told?.cursor);
    await registerPacks("heard-2");
    await again.wait("event", 1);
    expect(packIds(again)).toEqual(["heard-2"]);
  });

  test("one that comes while the first is looked at takes its place where that is refused, and only there", async () => {
    const client = await reader();
    client.send({ type: "subscribe", topic: "registry", after: "x" });
    client.send({ type: "subscribe", topic: "registry" });
    client.send({ type: "subscribe", topic: "registry" });
    const [bad, late] = await client.wait("error", 2);
    expect(bad).toMatchObject({ problem: { code: "VALIDATION_FAILED" } });
    expect(late).toMatchObject({ problem: { code: "INVALID_STATE" } });
    await client.wait("subscribed", 1);
    await registerPacks("again-1");
    await client.wait("event", 1);
    expect(packIds(client)).toEqual(["again-1"]);
  });

  test("what is taken back while the first is looked at is taken back whole", async () => {
    const client = await reader();
    for (const type of ["subscribe", "subscribe", "unsubscribe"]) client.send({ type, topic: "registry" });
    await client.subscribe("tenant");
    await registerPacks("untold-1");
    await client.wait("event", 1);
    expect(client.all("event").map(({ topic }) => topic)).toEqual(["tenant"]);
    expect(client.all("error")).toEqual([]);
    await client.subscribe("registry");
  });

  test("another tenant hears nothing of it", async () => {
    const stranger = await reader(await server.keyOf("admin", "strangers"));
    await stranger.subscribe("tenant");
    const client = await reader();
    await client.subscribe("tenant");
    await registerPacks("secret-1");
    await client.wait("event", 1);
    const foreign = client.all("event")[0]?.cursor;
    stranger.send({ type: "subscribe", topic: "registry", after: foreign });
    const [error] = await stranger.wait("error");
    expect(error).toMatchObject({
      topic: "registry",
      problem: { code: "VALIDATION_FAILED", violations: [{ field: "after", rule: "cursor" }] },
    });
    expect(stranger.all("event")).toEqual([]);
  });
});

describe("what is refused", () => {
  test.each([
    ["no JSON", "{", "MALFORMED_BODY", ""],
    ["an unknown type", { type: "publish", topic: "tenant" }, "VALIDATION_FAILED", "type"],
    ["a field too many", { type: "unsubscribe", topic: "tenant", x: 1 }, "VALIDATION_FAILED", "x"],
    ["a topic that is none", { type: "subscribe", topic: "everything" }, "VALIDATION_FAILED", "topic"],
    ["a topic that is no text", { type: "subscribe", topic: 7 }, "VALIDATION_FAILED", "topic"],
    [
      "a cursor that is none",
      { type: "subscribe", topic: "tenant", after: "x" },
      "VALIDATION_FAILED",
      "after",
    ],
    ["a message too long", `"${"x".repeat(5_000)}"`, "PAYLOAD_TOO_LARGE", undefined],
    ["a pipeline that is not there", { type: "subscribe", topic: "pipeline:none" }, "NOT_FOUND", undefined],
    ["to leave what was not joined", { type: "unsubscribe", topic: "tenant" }, "INVALID_STATE", undefined],
  ])("%s", async (_name, message, code, field) => {
    const client = await reader();
    client.send(message);
    const [error] = await client.wait("error");
    expect(error?.problem.code).toBe(code);
    expect(error?.problem.violations[0]?.field).toBe(field);
    await client.subscribe("tenant");
  });

  test("a cursor of a time that this database never came to is expired, and says what to do", async () => {
    const client = await reader();
    const future = Buffer.from(JSON.stringify(["default", "9000000000000000000", "0"])).toString("base64url");
    client.send({ type: "subscribe", topic: "tenant", after: future });
    const [error] = await client.wait("error");
    expect(error?.problem).toMatchObject({
      code: "CURSOR_EXPIRED",
      violations: [{ field: "after", rule: "cursor_expired" }],
    });
    expect(error?.problem.detail).toMatch(/Subscribe without a cursor/);
  });

  test("a topic twice, and more of them than a connection may have", async () => {
    const client = await reader();
    await client.subscribe("tenant");
    client.send({ type: "subscribe", topic: "tenant" });
    expect((await client.wait("error"))[0]?.problem.code).toBe("INVALID_STATE");
    for (let index = 0; index < 70; index += 1)
      client.send({ type: "subscribe", topic: `pipeline:p${index}` });
    const errors = await client.wait("error", 71);
    expect(errors.map(({ problem }) => problem.code)).toContain("RATE_LIMITED");
  });

  test("binary frames, floods and those who never learn are sent away", async () => {
    const client = await reader();
    client.socket.send(Buffer.from([1, 2, 3]));
    expect((await client.wait("error"))[0]?.problem.code).toBe("MALFORMED_BODY");
    for (let index = 0; index < 30; index += 1) client.send("?");
    expect(await client.closed).toMatchObject({ code: 1008 });
    const flooding = await reader();
    for (let index = 0; index < 500; index += 1) flooding.send({ type: "unsubscribe", topic: "tenant" });
    expect(await flooding.closed).toMatchObject({ code: 1008 });
  });
});
