import { once } from "node:events";
import { request as requestHttp1, type IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ControlPlaneService } from "@signalbox/contracts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import {
  bearer,
  manifestJson,
  manifestOf,
  register,
  startTestServer,
  type TestServer,
} from "./testing/test-server.ts";

let server: TestServer;
afterEach(() => server.dispose());

const headersOf = (body: string, requestId: string) => ({
  "x-request-id": requestId,
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
  ...bearer(server.adminKey),
});

/** The server has taken the request, and waits for the rest of its body. */
const begun = (requestId: string) =>
  vi.waitFor(
    () => expect(server.log()).toMatch(new RegExp(`"requestId":"${requestId}".*"request begun"`)),
    10_000,
  );

async function beginOverHttp1(body: string) {
  const headers = headersOf(body, "begun-over-http1");
  const request = requestHttp1(`${server.origin}/v1/packs`, { method: "POST", headers });
  const answered = once(request, "response");
  answered.catch(() => undefined);
  request.write(body.slice(0, 10));
  await begun("begun-over-http1");
  return async () => {
    request.end(body.slice(10));
    const [answer] = (await answered) as [IncomingMessage];
    await json(answer);
    return answer.statusCode;
  };
}

async function beginOverHttp2(body: string) {
  const session = connectHttp2(server.origin);
  const headers = headersOf(body, "begun-over-http2");
  const stream = session.request({ ":path": "/v1/packs", ":method": "POST", ...headers });
  stream.write(body.slice(0, 10));
  await begun("begun-over-http2");
  return async () => {
    stream.end(body.slice(10));
    const [answer] = await once(stream, "response");
    await json(stream);
    return Number(answer[":status"]);
  };
}

describe("draining", () => {
  test("what was begun is finished over both HTTP versions, and nothing new is taken", async () => {
    server = await startTestServer({ answerRefusalsMs: 3_000 });
    const finishHttp1 = await beginOverHttp1(manifestJson({ packId: "begun-1" }));
    const finishHttp2 = await beginOverHttp2(manifestJson({ packId: "begun-2" }));
    const stopped = server.stop();
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    const late = await register(server, manifestJson({ packId: "late" }));
    expect(late.status).toBe(503);
    expect(late.headers.get("connection")).toBe("close");
    const refused = async () =>
      await expect(fetch(`${server.origin}/healthz`)).rejects.toThrow("fetch failed");
    await vi.waitFor(refused, { timeout: 10_000, interval: 100 });
    expect(await Promise.all([finishHttp1(), finishHttp2()])).toEqual([201, 201]);
    await stopped;
  });

  test("under load every request is answered or refused, and none is cut", async () => {
    server = await startTestServer({ answerRefusalsMs: 3_000 });
    const outcomes: (number | string)[] = [];
    const client = createClient(ControlPlaneService, createGrpcTransport({ baseUrl: server.origin }));
    const headers = bearer(server.adminKey);
    const work = async (worker: number) => {
      for (let index = 0; ; index += 1) {
        const packId = `load-${worker}-${index}`;
        const answered =
          worker % 2 === 0
            ? register(server, manifestJson({ packId })).then(({ status }) => status)
            : client.registerPack({ manifest: manifestOf({ packId }) }, { headers }).then(() => 201);
        const outcome = await answered.catch((reason: unknown) => refusalOrCut(reason));
        outcomes.push(outcome);
        if (outcome !== 201) return;
      }
    };
    const workers = Array.from({ length: 10 }, (_, worker) => work(worker));
    await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(50), 10_000);
    await Promise.all([...workers, server.stop()]);
    const allowed = new Set<number | string>([201, 503, "refused"]);
    expect(outcomes.filter((outcome) => !allowed.has(outcome))).toEqual([]);
  });

  test("a WebSocket hears of it, and is closed as of a restart", async () => {
    server = await startTestServer();
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/trpc`);
    const heard: string[] = [];
    socket.on("message", (message: Buffer) => heard.push(message.toString()));
    await once(socket, "open");
    socket.send(JSON.stringify({ id: 1, method: "subscription", params: { path: "system.readiness" } }));
    await vi.waitFor(() => expect(heard.join("")).toContain(`"ready"`), 10_000);
    const closed = once(socket, "close");
    await server.stop();
    expect((await closed)[0]).toBe(1012);
    expect(heard.join("")).toContain(`"draining"`);
  });

  test("a WebSocket that is refused meanwhile is told so, and the stop does not wait for it", async () => {
    server = await startTestServer({ answerRefusalsMs: 1_000 });
    const stopped = server.stop();
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}/v1/stream`);
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(503);
    expect(answer.headers.connection).toBe("close");
    await stopped;
    expect(server.log()).not.toContain("requests did not finish in time");
  });

  test("a subscription over HTTP, which would never end, is refused, and a stop does not wait for it", async () => {
    server = await startTestServer();
    const answer = await fetch(`${server.origin}/trpc/system.readiness`);
    await server.stop();
    expect(server.log()).not.toContain("requests did not finish in time");
    const events = await answer.text();
    expect(events).toContain(`"code":"METHOD_NOT_ALLOWED"`);
    expect(events).not.toContain(`"ready"`);
  });

  test("silent clients and idle connections hold nothing up", async () => {
    server = await startTestServer();
    const silent = connect(server.port, "127.0.0.1");
    await once(silent, "connect");
    await fetch(`${server.origin}/healthz`);
    await server.stop();
    expect(server.log()).not.toContain("requests did not finish in time");
    silent.destroy();
  });

  test("a request that does not end is cut when the stop is hurried", async () => {
    server = await startTestServer();
    const finish = await beginOverHttp1(manifestJson());
    const hurry = new AbortController();
    const stopped = server.stop(hurry.signal);
    hurry.abort();
    await stopped;
    await expect(finish()).rejects.toThrow("socket hang up");
  });
});

/** A call that is refused was never begun (RFC 9113 §8.7, or no connection); one that is reset may have been carried out. */
function refusalOrCut(reason: unknown): string {
  const text = [reason, reason instanceof Error ? reason.cause : undefined].map(String).join(" ");
  return /unavailable.*stopping|NGHTTP2_REFUSED_STREAM|ECONNREFUSED/.test(text) ? "refused" : text;
}

test("who waits for work is sent away with nothing when the process drains, over REST and gRPC", async () => {
  server = await startTestServer({ answerRefusalsMs: 0 });
  await register(server, manifestJson({ packId: "patient" }));
  const wanted = { packId: "patient", instanceId: "patient-1", maxTasks: 1, waitSeconds: 60 };
  const byRest = fetch(`${server.origin}/v1/leases`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-request-id": "waits-over-rest",
      ...bearer(server.adminKey),
    },
    body: JSON.stringify(wanted),
  });
  const client = createClient(ControlPlaneService, createGrpcTransport({ baseUrl: server.origin }));
  const headers = { ...bearer(server.adminKey), "x-request-id": "waits-over-grpc" };
  const byGrpc = client.lease(wanted, { headers });
  await Promise.all([begun("waits-over-rest"), begun("waits-over-grpc")]);
  // Whoever came after them has been answered: they are known by now, and wait.
  await register(server, manifestJson({ packId: "patient" }));
  const [rest, grpc] = await Promise.all([byRest, byGrpc, server.stop()]);
  expect(rest.status).toBe(200);
  expect(await rest.json()).toEqual({ envelopes: [], leaseExpiresAt: null, lostDispatchIds: [] });
  expect(grpc.envelopes).toEqual([]);
});
