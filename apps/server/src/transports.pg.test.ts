import { once } from "node:events";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { text } from "node:stream/consumers";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import type { AppRouter } from "@signalbox/api";
import { ControlPlaneService, ErrorDetailSchema } from "@signalbox/contracts";
import { createTRPCClient, createWSClient, httpBatchLink, wsLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { callMetadata, type GrpcJsClient, grpcJsClient, refusalOf } from "./testing/grpc-js-client.ts";
import {
  bearer,
  manifestJson,
  manifestOf,
  register,
  startTestServer,
  type TestServer,
} from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

async function overHttp2(path: string, headers: Record<string, string>, body?: string) {
  const session = connectHttp2(server.origin);
  try {
    const stream = session.request({
      ":path": path,
      ":method": body === undefined ? "GET" : "POST",
      ...headers,
    });
    stream.end(body);
    const [answer] = (await once(stream, "response")) as [IncomingHttpHeaders];
    return { status: answer[":status"], headers: answer, body: await text(stream) };
  } finally {
    session.close();
  }
}

describe("one port, independent clients", () => {
  test("REST over HTTP/1.1, by fetch", async () => {
    const first = await register(server, manifestJson({ packId: "by-fetch" }));
    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe("/v1/packs/by-fetch/versions/1.0.0");
    const again = await register(server, manifestJson({ packId: "by-fetch" }));
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(await first.json());
  });

  test("REST over HTTP/2 with prior knowledge, by node:http2", async () => {
    const headers = { ...bearer(server.adminKey), "content-type": "application/json" };
    const created = await overHttp2("/v1/packs", headers, manifestJson({ packId: "by-http2" }));
    expect(created).toMatchObject({ status: 201 });
    expect(created.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    const read = await overHttp2("/v1/packs/by-http2/versions/1.0.0", bearer(server.adminKey));
    expect(JSON.parse(read.body)).toEqual(JSON.parse(created.body));
    const refused = await overHttp2("/v1/packs", {});
    expect(refused.status).toBe(401);
    expect(refused.headers["content-type"]).toContain("application/problem+json");
  });

  test("tRPC over HTTP/1.1 in a batch, and over HTTP/2", async () => {
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: `${server.origin}/trpc`, headers: bearer(server.adminKey) })],
    });
    await register(server, manifestJson({ packId: "by-trpc" }));
    const [about, session, list] = await Promise.all([
      client.system.about.query(),
      client.session.current.query(),
      client.packs.list.query({ query: "BY-TRPC" }),
    ]);
    expect(about.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(session).toMatchObject({ tenantId: "default", role: "admin", credential: "key" });
    expect(list.packs.map((pack) => pack.packId)).toEqual(["by-trpc"]);
    expect(await client.packs.get.query({ packId: "by-trpc", packVersion: "1.0.0" })).toMatchObject({
      safetyTier: "RISK_TIER_NORMAL",
      interface: { maxTaskSeconds: 600 },
    });
    const http2 = await overHttp2("/trpc/system.about", {});
    expect(JSON.parse(http2.body)).toMatchObject({ result: { data: { version: about.version } } });
    expect(http2.headers["x-request-id"]).toBeDefined();
  });

  test("a tRPC subscription over a WebSocket, by its own client", async () => {
    const socket = createWSClient({ url: `${server.origin.replace("http", "ws")}/trpc` });
    const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });
    const status = await new Promise((resolve, reject) => {
      client.system.readiness.subscribe(undefined, {
        onData: (data) => resolve(data.status),
        onError: reject,
      });
    });
    expect(status).toBe("ready");
    await socket.close();
  });

  test("a tRPC subscription over a plain WebSocket, with the request's id on the upgrade", async () => {
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/trpc`, {
      headers: { "x-request-id": "from-the-test-0001" },
    });
    const [[upgrade]] = await Promise.all([once(socket, "upgrade"), once(socket, "open")]);
    expect(upgrade).toMatchObject({ headers: { "x-request-id": "from-the-test-0001" } });
    const messages: unknown[] = [];
    const data = new Promise<void>((resolve) => {
      socket.on("message", (message: Buffer) => {
        messages.push(JSON.parse(message.toString()));
        if (messages.length === 2) resolve();
      });
    });
    socket.send(JSON.stringify({ id: 1, method: "subscription", params: { path: "system.readiness" } }));
    await data;
    expect(messages).toMatchObject([
      { id: 1, result: { type: "started" } },
      { id: 1, result: { type: "data", data: { status: "ready" } } },
    ]);
    socket.close();
  });

  test("one connection cannot subscribe without end", async () => {
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/trpc`);
    const heard: string[] = [];
    socket.on("message", (message: Buffer) => heard.push(message.toString()));
    await once(socket, "open");
    for (let id = 1; id <= 40; id += 1) {
      socket.send(JSON.stringify({ id, method: "subscription", params: { path: "system.readiness" } }));
    }
    const count = (part: string) => heard.filter((message) => message.includes(part)).length;
    await vi.waitFor(() => expect([count(`"ready"`), count("RATE_LIMITED")]).toEqual([16, 24]), 10_000);
    socket.close();
  });

  test("Connect as JSON, by fetch", async () => {
    const answer = await fetch(`${server.origin}/vasini.agent.v1.ControlPlaneService/RegisterPack`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...bearer(server.adminKey),
        "x-request-id": "connect-json-1",
      },
      body: `{"manifest": ${manifestJson({ packId: "by-connect-json" })}}`,
    });
    expect(answer.headers.get("x-request-id")).toBe("connect-json-1");
    expect(await answer.json()).toEqual({ packId: "by-connect-json", packVersion: "1.0.0", created: true });
  });

  test.each<[string, () => Transport]>([
    ["Connect over HTTP/1.1", () => createConnectTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
    ["Connect over HTTP/2", () => createConnectTransport({ baseUrl: server.origin, httpVersion: "2" })],
    ["gRPC-web over HTTP/1.1", () => createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
    ["gRPC over HTTP/2", () => createGrpcTransport({ baseUrl: server.origin })],
  ])(
    "%s: an answer, a refusal with its detail, and a method that is not there yet",
    async (name, transport) => {
      const client = createClient(ControlPlaneService, transport());
      const packId = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      const headers = { ...bearer(server.adminKey), "x-request-id": "connect-client-1" };
      expect(await client.registerPack({ manifest: manifestOf({ packId }) }, { headers })).toMatchObject({
        packId,
        created: true,
      });
      const changed = manifestOf({ packId, ownerDomains: ["billing"] });
      const refused = await client
        .registerPack({ manifest: changed }, { headers })
        .catch((reason: unknown) => ConnectError.from(reason));
      if (!(refused instanceof ConnectError)) throw new Error("the changed manifest was accepted");
      expect(refused.code).toBe(Code.AlreadyExists);
      expect(refused.metadata.get("x-request-id")).toBe("connect-client-1");
      expect(refused.findDetails(ErrorDetailSchema)).toMatchObject([
        {
          code: "PACK_VERSION_EXISTS",
          requestId: "connect-client-1",
          violations: [{ field: "manifest.owner_domains", rule: "immutable" }],
        },
      ]);
      const later = {
        attempt: { dispatchId: "a-d0.1", attemptNumber: 1 },
        target: { case: "taskType", value: "build" },
        reason: "others know better",
      } as const;
      await expect(client.requestHandoff(later, { headers })).rejects.toMatchObject({
        code: Code.NotFound,
      });
      await expect(client.registerPack({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    },
  );
});

describe("gRPC by @grpc/grpc-js, from the published proto files", () => {
  let client: GrpcJsClient;
  beforeAll(() => {
    client = grpcJsClient(server.port);
  });
  afterAll(() => client.close());
  const call = (request: object, metadata: grpc.Metadata) => client.call("RegisterPack", request, metadata);

  test("an answer", async () => {
    const manifest = { packId: "by-grpc-js", packVersion: "1.0.0", safetyTier: "RISK_TIER_LOW" };
    const { error, answer } = await call({ manifest }, callMetadata(server.adminKey));
    expect(error).toBeNull();
    expect(answer).toEqual({ packId: "by-grpc-js", packVersion: "1.0.0", created: true });
  });

  test("a refusal carries the status, and code and violations as its detail", async () => {
    const { error } = await call(
      { manifest: { packId: "", packVersion: "one" } },
      callMetadata(server.adminKey),
    );
    expect(error?.code).toBe(grpc.status.INVALID_ARGUMENT);
    expect(error?.details).toMatch(/: manifest\.pack_id must .*; manifest\.pack_version must/);
    expect(refusalOf(error)).toMatchObject({
      code: "VALIDATION_FAILED",
      requestId: "grpc-js-call-1",
      violations: expect.arrayContaining([expect.objectContaining({ field: "manifest.pack_version" })]),
    });
  });

  test("a name that JSON would not let through is refused here as well", async () => {
    const manifest = { packId: "a\0b", packVersion: "1.0.0", supportedTaskTypes: ["\0"] };
    const { error } = await call({ manifest }, callMetadata(server.adminKey));
    expect(error?.code).toBe(grpc.status.INVALID_ARGUMENT);
  });

  test("a caller who may not is told so before the manifest is judged", async () => {
    const { error } = await call({ manifest: { packId: "" } }, callMetadata(await server.keyOf("viewer")));
    expect(error?.code).toBe(grpc.status.PERMISSION_DENIED);
    expect(error?.details).toContain("operator or admin");
  });
});
