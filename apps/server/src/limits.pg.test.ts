import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { noLimits } from "@signalbox/api";
import type { AppRouter } from "@signalbox/api";
import { ControlPlaneService } from "@signalbox/contracts";
import { createTRPCClient, createWSClient, httpBatchLink, TRPCClientError, wsLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { callMetadata, grpcJsClient, refusalOf } from "./testing/grpc-js-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

/** Nothing is given back while a test runs: what is refused is a matter of counting, and not of time. */
const never = 0.001;
const heartbeat = { heartbeat: { packId: "a", instanceId: "b" } };

const statuses = async (times: number, ask: () => Promise<{ status: number }>) => {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await ask()).status);
  return seen;
};

async function upgrade(server: TestServer, path: string, headers: Record<string, string>) {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}${path}`, { headers });
  const refused = once(socket, "unexpected-response").then(([, answer]) => answer as { statusCode: number });
  const outcome = await Promise.race([once(socket, "open").then(() => undefined), refused]);
  return { socket, refused: outcome?.statusCode };
}

describe("by key and by tenant", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      limits: {
        address: undefined,
        key: { perSecond: never, burst: 4, open: 2 },
        tenant: { perSecond: never, burst: 7, open: 3 },
      },
    });
  });
  afterAll(() => server.dispose());
  const packs = (key: string) => () => fetch(`${server.origin}/v1/packs`, { headers: bearer(key) });

  test("REST: a key that asks too often is refused with when to come back; the tenant's other key is not", async () => {
    const [one, other] = [await server.keyOf("admin", "rest"), await server.keyOf("admin", "rest")];
    expect(await statuses(5, packs(one))).toEqual([200, 200, 200, 200, 429]);
    const refused = await packs(one)();
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(900);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(await statuses(1, packs(other))).toEqual([200]);
  });

  test("a tenant's keys share its limit, and another tenant has its own", async () => {
    const keys = await Promise.all([1, 2, 3].map(() => server.keyOf("admin", "loud")));
    const quiet = await server.keyOf("admin", "quiet");
    const seen: number[] = [];
    for (const key of keys) seen.push(...(await statuses(3, packs(key))));
    expect(seen).toEqual([...Array<number>(7).fill(200), 429, 429]);
    expect(await statuses(4, packs(quiet))).toEqual([200, 200, 200, 200]);
  });

  test("a key that nobody has is counted too, before it is looked for", async () => {
    expect(await statuses(5, packs("nobody-has-this-key"))).toEqual([401, 401, 401, 401, 429]);
  });

  test.each(["Connect", "gRPC-web"])("%s: RESOURCE_EXHAUSTED with when to come back", async (protocol) => {
    const key = await server.keyOf("admin", protocol.toLowerCase());
    const options = { baseUrl: server.origin, httpVersion: "1.1" as const };
    const transport =
      protocol === "Connect" ? createConnectTransport(options) : createGrpcWebTransport(options);
    const { registerPack } = createClient(ControlPlaneService, transport);
    const ask = () =>
      registerPack({}, { headers: bearer(key) }).catch((error: unknown) => ConnectError.from(error));
    const codes = [];
    for (let index = 0; index < 5; index += 1) codes.push(await ask());
    const [last] = codes.slice(-1);
    expect(codes.slice(0, 4).map((error) => error instanceof ConnectError && error.code)).toEqual(
      Array(4).fill(Code.InvalidArgument),
    );
    if (!(last instanceof ConnectError)) throw new Error("the fifth was answered");
    expect(last.code).toBe(Code.ResourceExhausted);
    expect(Number(last.metadata.get("retry-after"))).toBeGreaterThan(900);
  });

  test("gRPC, by @grpc/grpc-js: the pushback that its own retries wait for", async () => {
    const key = await server.keyOf("admin", "grpc");
    const client = grpcJsClient(server.port);
    const ask = () => client.call("Heartbeat", heartbeat, callMetadata(key));
    for (let index = 0; index < 4; index += 1) await ask();
    const { error } = await ask();
    client.close();
    expect(error?.code).toBe(grpc.status.RESOURCE_EXHAUSTED);
    expect(refusalOf(error)).toMatchObject({ code: "RATE_LIMITED" });
    expect(Number(error?.metadata.get("grpc-retry-pushback-ms")[0])).toBeGreaterThan(900_000);
  });

  test("tRPC: each call of a batch counts, and each over a WebSocket", async () => {
    const batched = await server.keyOf("admin", "trpc-batch");
    let answer: Response | undefined;
    const keep: typeof fetch = async (...asked) => {
      answer = await fetch(...asked);
      return answer;
    };
    const links = [
      httpBatchLink({ url: `${server.origin}/trpc`, headers: bearer(batched), fetch: keep as never }),
    ];
    const client = createTRPCClient<AppRouter>({ links });
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => client.packs.list.query()));
    expect(calls.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill("fulfilled"), "rejected"]);
    const refused = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []));
    expect(refused[0]).toBeInstanceOf(TRPCClientError);
    expect(refused[0]).toMatchObject({
      data: { code: "TOO_MANY_REQUESTS", problem: { code: "RATE_LIMITED" } },
    });
    expect(Number(answer?.headers.get("retry-after"))).toBeGreaterThan(900);

    const { socket } = await upgrade(server, "/trpc", bearer(await server.keyOf("admin", "trpc-socket")));
    const answers: string[] = [];
    socket.on("message", (data: Buffer) => answers.push(data.toString()));
    for (let id = 1; id <= 5; id += 1)
      socket.send(JSON.stringify({ id, method: "query", params: { path: "packs.list" } }));
    await vi.waitFor(() => expect(answers).toHaveLength(5));
    expect(answers.filter((text) => text.includes("RATE_LIMITED"))).toHaveLength(1);
    socket.close();
  });

  test("MCP: each message of a body counts, and no more than twenty are taken at once", async () => {
    const key = await server.keyOf("admin", "mcp-batch");
    const send = (messages: number) => () =>
      fetch(`${server.origin}/mcp`, {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify(
          Array.from({ length: messages }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
        ),
      });
    expect(await statuses(1, send(21))).toEqual([422]);
    expect(await statuses(1, send(3))).toEqual([200]);
    expect(await statuses(1, send(1))).toEqual([429]);
  });

  test("streams: so many are open at a time, and who closes one may open another", async () => {
    const key = bearer(await server.keyOf("admin", "streams"));
    const [one, two] = [await upgrade(server, "/v1/stream", key), await upgrade(server, "/v1/stream", key)];
    const third = await upgrade(server, "/v1/stream", key);
    expect([one.refused, two.refused, third.refused]).toEqual([undefined, undefined, 429]);
    one.socket.close();
    await once(one.socket, "close");
    const fourth = await upgrade(server, "/v1/stream", key);
    expect(fourth.refused).toBeUndefined();
    for (const { socket } of [two, fourth]) socket.terminate();
  });

  test("long polls: so many wait at a time, and who goes makes room", async () => {
    const key = await server.keyOf("admin", "polls");
    const registered = await fetch(`${server.origin}/v1/packs`, {
      method: "POST",
      headers: { ...bearer(await server.keyOf("admin", "polls")), "content-type": "application/json" },
      body: JSON.stringify({
        packId: "a",
        packVersion: "1.0.0",
        capabilitySchemaVersion: "1.0.0",
        minOrchestratorVersion: "0.1.0",
      }),
    });
    expect(registered.status).toBe(201);
    const poll = (signal: AbortSignal | null) =>
      fetch(`${server.origin}/v1/leases`, {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify({ packId: "a", instanceId: "b", maxTasks: 1, waitSeconds: 20 }),
        signal,
      });
    const gone = new AbortController();
    const begun = () => server.log().split(`"request begun"`).length;
    const before = begun();
    const polls = [poll(gone.signal), poll(gone.signal)].map((one) => one.catch(() => undefined));
    await vi.waitFor(() => expect(begun()).toBe(before + 2));
    expect((await packs(key)()).status).toBe(429);
    gone.abort();
    await Promise.all(polls);
    await vi.waitFor(async () => expect((await packs(key)()).status).toBe(200));
  });
});

/** The test stands for the proxy that the setting names, so each of them can come from an address of its own. */
const from = (address: string) => ({ "x-forwarded-for": address });

describe("by address", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      limits: { ...noLimits, address: { perSecond: never, burst: 3, open: 100 } },
      trustedProxies: ["loopback"],
    });
  });
  afterAll(() => server.dispose());
  test("nobody has to be known to be counted, on every path; health and readiness are never refused", async () => {
    const headers = from("192.0.2.1");
    const ask = (path: string) => fetch(`${server.origin}${path}`, { headers });
    expect(await statuses(1, () => ask("/v1/packs"))).toEqual([401]);
    expect(await statuses(1, () => ask("/nothing"))).toEqual([404]);
    expect(await statuses(1, () => ask("/openapi.json"))).toEqual([200]);
    for (const path of ["/v1/packs", "/nothing", "/openapi.json", "/docs", "/v1/session/x"])
      expect([path, (await ask(path)).status]).toEqual([path, 429]);
    for (const path of ["/healthz", "/readyz"])
      expect(await statuses(10, () => ask(path))).toEqual(Array(10).fill(200));
    expect((await fetch(`${server.origin}/v1/packs`, { headers: from("192.0.2.2") })).status).toBe(401);
  });

  test("tRPC says so in its own words, over a WebSocket too", async () => {
    const links = [httpBatchLink({ url: `${server.origin}/trpc`, headers: from("192.0.2.3") })];
    const client = createTRPCClient<AppRouter>({ links });
    const about = () => client.system.about.query();
    await about();
    await about();
    await about();
    await expect(about()).rejects.toMatchObject({ data: { problem: { code: "RATE_LIMITED" } } });
    expect((await upgrade(server, "/trpc", from("192.0.2.3"))).refused).toBe(429);

    const own = createWSClient({
      url: `${server.origin.replace("http", "ws")}/trpc`,
      WebSocket: class extends WebSocket {
        constructor(url: string) {
          super(url, { headers: from("192.0.2.4") });
        }
      } as never,
    });
    const asked = createTRPCClient<AppRouter>({ links: [wsLink({ client: own })] });
    const calls = await Promise.allSettled([1, 2, 3, 4, 5].map(() => asked.system.about.query()));
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await own.close();
  });

  test("an upgrade that is refused ends its connection", async () => {
    const docs = () => fetch(`${server.origin}/docs`, { headers: from("192.0.2.9") });
    expect((await statuses(4, docs)).at(-1)).toBe(429);
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      "GET /v1/stream HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 192.0.2.9\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
        "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 429 /);
  });

  test("gRPC says so in its own words; reflection is counted, and health is not", async () => {
    const metadata = callMetadata(server.adminKey);
    metadata.set("x-forwarded-for", "192.0.2.5");
    const client = grpcJsClient(server.port);
    const codes: (number | undefined)[] = [];
    for (let index = 0; index < 4; index += 1)
      codes.push((await client.call("Heartbeat", heartbeat, metadata)).error?.code);
    client.close();
    expect(codes.slice(0, 3)).not.toContain(grpc.status.RESOURCE_EXHAUSTED);
    expect(codes[3]).toBe(grpc.status.RESOURCE_EXHAUSTED);

    const post = (path: string) =>
      fetch(`${server.origin}${path}`, {
        method: "POST",
        headers: { ...from("192.0.2.5"), "content-type": "application/json" },
        body: "{}",
      });
    expect(await statuses(5, () => post("/grpc.health.v1.Health/Check"))).toEqual(Array(5).fill(200));
    expect(await reflectionStatus(server, from("192.0.2.5"))).toBe(grpc.status.RESOURCE_EXHAUSTED);
    expect(await reflectionStatus(server, from("192.0.2.6"))).toBe(grpc.status.OK);
  });
});

function reflectionStatus(server: TestServer, headers: Record<string, string>): Promise<number> {
  const protos = join(import.meta.dirname, "../../../packages/contracts/standard-proto");
  const service = loadSync("grpc/reflection/v1/reflection.proto", { includeDirs: [protos] })[
    "grpc.reflection.v1.ServerReflection"
  ];
  if (service === undefined || "format" in service) throw new Error("there is no such service");
  const method: grpc.MethodDefinition<object, object> | undefined = service["ServerReflectionInfo"];
  if (method === undefined) throw new Error("there is no such method");
  const client = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const { path, requestSerialize, responseDeserialize } = method;
  return new Promise<number>((resolve) => {
    const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    call.on("data", () => undefined).on("error", () => undefined);
    call.on("status", ({ code }: { code: number }) => resolve(code));
    call.write({ listServices: "" });
    call.end();
  }).finally(() => client.close());
}
