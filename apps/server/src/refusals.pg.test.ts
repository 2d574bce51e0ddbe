import { once } from "node:events";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { Code } from "@connectrpc/connect";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bearer,
  bodyOf,
  manifestJson,
  register,
  startTestServer,
  type TestServer,
} from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

const get = (path: string, init: RequestInit & { key?: string } = {}) =>
  fetch(`${server.origin}${path}`, {
    ...init,
    headers: { ...bearer(init.key ?? server.adminKey), ...Object.fromEntries(new Headers(init.headers)) },
  });

const registerPackPath = "/vasini.agent.v1.ControlPlaneService/RegisterPack";

/** JSON that stops, and a field 1 of 127 bytes that holds one; with what Connect answers once it decodes them. */
const unreadable: [type: string, body: Uint8Array<ArrayBuffer>, connectCode: string][] = [
  ["application/json", new Uint8Array([0x7b]), "invalid_argument"],
  ["application/proto", new Uint8Array([0x0a, 0x7f, 0x00]), "invalid_argument"],
];

/** Over gRPC, by whoever announces a message of three bytes, sends one of them and no end. */
async function grpcStatusOf(headers: Record<string, string>): Promise<string> {
  const session = connectHttp2(server.origin);
  try {
    const stream = session.request({
      ":path": registerPackPath,
      ":method": "POST",
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let status: unknown;
    const read = (fields: IncomingHttpHeaders) => (status = fields["grpc-status"] ?? status);
    stream.on("response", read).on("trailers", read).resume();
    stream.write(Buffer.from([0, 0, 0, 0, 3, 0x0a]));
    await once(stream, "end");
    return String(status);
  } finally {
    session.close();
  }
}

const withoutName = (body: string) => body.replaceAll(/of-the-\w+/g, "it");

describe("refusals are problems", () => {
  test.each([
    ["truncated JSON", `{"packId": "a`, 400, "MALFORMED_BODY"],
    ["nothing", "", 400, "MALFORMED_BODY"],
    ["a list", "[]", 422, "VALIDATION_FAILED"],
    [
      "a field that does not exist",
      `{"packId":"a","packVersion":"1.0.0","safteyTier":1}`,
      422,
      "VALIDATION_FAILED",
    ],
    [
      "an unknown enum name",
      `{"packId":"a","packVersion":"1.0.0","safetyTier":"HUGE"}`,
      422,
      "VALIDATION_FAILED",
    ],
    [
      "an unknown enum number",
      `{"packId":"a","packVersion":"1.0.0","safetyTier":99}`,
      422,
      "VALIDATION_FAILED",
    ],
    ["duplicate keys", `{"packId":"a","packId":"b"}`, 400, "MALFORMED_BODY"],
    ["a deep nest", "[".repeat(100_000), 413, "PAYLOAD_TOO_LARGE"],
    ["a name that no database holds", `{"packId":"a\\u0000","packVersion":"1.0.0"}`, 400, "MALFORMED_BODY"],
    ["a version that is none", `{"packId":"a","packVersion":"one"}`, 422, "VALIDATION_FAILED"],
  ])("%s", async (_, body, status, code) => {
    const answer = await register(server, body);
    const problem = await bodyOf(answer);
    expect({ status: answer.status, code: problem.code }).toEqual({ status, code });
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(problem).toMatchObject({ status, requestId: answer.headers.get("x-request-id") });
    expect(problem.detail?.length).toBeGreaterThan(5);
  });

  test("random bytes as a manifest are refused, and never a fault of ours", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const answer = await fetch(`${server.origin}/v1/packs`, {
          method: "POST",
          headers: { ...bearer(server.adminKey), "content-type": "application/json" },
          body: new Uint8Array(bytes),
        });
        await answer.body?.cancel();
        expect([400, 422]).toContain(answer.status);
      }),
      { numRuns: 50 },
    );
  });

  test("every violation is named with its field", async () => {
    const answer = await register(server, `{"packId":"","packVersion":"one"}`);
    const { violations = [] } = await bodyOf(answer);
    expect(violations.map(({ field }) => field)).toEqual(expect.arrayContaining(["packId", "packVersion"]));
  });

  test("a body over the limit is 413, whether its length is told or not", async () => {
    const big = `{"packId":"${"a".repeat(1_100_000)}"}`;
    expect((await register(server, big)).status).toBe(413);
    const chunks = new Blob([big]).stream();
    const answer = await fetch(`${server.origin}/v1/packs`, {
      method: "POST",
      headers: { ...bearer(server.adminKey), "content-type": "application/json" },
      body: chunks,
      duplex: "half",
    });
    expect(await answer.json()).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      detail: expect.stringMatching(/larger than the \d+ bytes that this path takes/),
    });
  });

  test("another content type is 415", async () => {
    const answer = await register(server, "packId: a", { "content-type": "application/yaml" });
    expect(await answer.json()).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      detail: expect.stringMatching(/send application\/json\.$/),
    });
    const written = await fetch(`${server.origin}/v1/routing-policies`, {
      method: "POST",
      headers: { ...bearer(server.adminKey), "content-type": "text/plain" },
      body: "routing_policy: {}",
    });
    expect(await written.json()).toMatchObject({
      status: 415,
      detail: expect.stringContaining("send application/json or application/yaml"),
    });
  });

  test("an unknown path is 404, and a known one with another method 405 with what it allows", async () => {
    expect(await (await get("/v1/pack")).json()).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const answer = await get("/v1/packs", { method: "DELETE" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, GET, HEAD");
    expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });

  test("HEAD answers as GET would, without a body", async () => {
    await register(server, manifestJson({ packId: "headed" }));
    const answer = await get("/v1/packs/headed/versions/1.0.0", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(20);
    expect(await answer.text()).toBe("");
  });
});

describe("request ids", () => {
  test.each(["build-4711", "0190b3a8-8f0f-7bbb-8888-0123456789ab", "a/b:c.d_e+f=1"])(
    "%s is kept",
    async (id) => {
      const answer = await get("/v1/nothing", { headers: { "x-request-id": id } });
      expect(answer.headers.get("x-request-id")).toBe(id);
      expect(await answer.json()).toMatchObject({ requestId: id });
      expect(server.log()).toContain(`"requestId":"${id}"`);
    },
  );

  test.each(["short", "has a space in it", "a".repeat(129), "-leading-dash", `quote"inside-it`])(
    "%j is not, and a new one is made",
    async (id) => {
      const answer = await get("/healthz", { headers: { "x-request-id": id } });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    },
  );

  test("every answer of every transport has one", async () => {
    const paths = ["/healthz", "/readyz", "/v1/packs", "/trpc/system.about", "/trpc/nothing", "/nowhere"];
    const ids = await Promise.all(paths.map(async (path) => (await get(path)).headers.get("x-request-id")));
    expect(new Set(ids).size).toBe(paths.length);
    expect(ids).not.toContain(null);
  });
});

describe("who asks", () => {
  test.each([
    ["no credential", {}],
    ["an unknown key", bearer("0".repeat(48))],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["a key with what no key holds", { authorization: "Bearer \u00e4" }],
  ])("%s is 401 on every transport, before the body is read", async (_, headers) => {
    const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "{" };
    const rest = await fetch(`${server.origin}/v1/packs`, post);
    expect(rest.headers.get("www-authenticate")).toBe("Bearer");
    expect(await rest.json()).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    const trpc = await fetch(`${server.origin}/trpc/packs.list`, { headers });
    expect(trpc.status).toBe(401);
    expect(await trpc.json()).toMatchObject({ error: { data: { problem: { code: "UNAUTHENTICATED" } } } });
    const rpc = `${server.origin}${registerPackPath}`;
    for (const [type, body] of unreadable) {
      const call = await fetch(rpc, { method: "POST", headers: { ...headers, "content-type": type }, body });
      expect(await call.json()).toMatchObject({
        code: "unauthenticated",
        details: [
          {
            type: "vasini.agent.v1.ErrorDetail",
            debug: { code: "UNAUTHENTICATED", requestId: call.headers.get("x-request-id") },
          },
        ],
      });
    }
    expect(await grpcStatusOf(headers)).toBe(String(Code.Unauthenticated));
  });

  test.each(unreadable)(
    "for a caller who is known, %s that cannot be read is read, and refused",
    async (type, body, code) => {
      const headers = { ...bearer(server.adminKey), "content-type": type };
      const call = await fetch(`${server.origin}${registerPackPath}`, { method: "POST", headers, body });
      expect(await call.json()).toMatchObject({ code });
    },
  );

  test("a message over the limit of a body is refused over Connect as it is over REST", async () => {
    const headers = { ...bearer(server.adminKey), "content-type": "application/json" };
    const body = JSON.stringify({ manifest: { packId: "a".repeat(1024 * 1024) } });
    const call = await fetch(`${server.origin}${registerPackPath}`, { method: "POST", headers, body });
    expect(await call.json()).toMatchObject({ code: "resource_exhausted" });
  });

  test.each([
    "/v1/packs",
    "/v1/packs/none/versions/1.0.0",
    "/trpc/system.about",
    "/trpc/packs.list",
    "/trpc/no",
  ])("what %s answers is kept by nobody, whoever asks", async (path) => {
    expect((await get(path)).headers.get("cache-control")).toBe("no-store");
    expect((await fetch(`${server.origin}${path}`)).headers.get("cache-control")).toBe("no-store");
  });

  test("PERM-3 a viewer may read packs and not register one, on every transport that offers it", async () => {
    const key = await server.keyOf("viewer");
    expect((await get("/v1/packs", { key })).status).toBe(200);
    const refused = await register(server, "{}", bearer(key));
    const detail = "Not allowed: registering a pack needs the role operator or admin, or an agent's key.";
    expect(await refused.json()).toMatchObject({ status: 403, detail });
    const call = await fetch(`${server.origin}${registerPackPath}`, {
      method: "POST",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: `{"manifest":{}}`,
    });
    expect(await call.json()).toMatchObject({ code: "permission_denied", message: detail });
    const query = await fetch(`${server.origin}/trpc/packs.list`, { headers: bearer(key) });
    expect(query.status).toBe(200);
  });

  test("another tenant's pack and a missing one are one answer", async () => {
    await register(server, manifestJson({ packId: "of-the-first" }));
    const key = await server.keyOf("admin", "second");
    const headers = { "x-request-id": "same-answer-1" };
    const foreign = await get("/v1/packs/of-the-first/versions/1.0.0", { key, headers });
    const missing = await get("/v1/packs/of-the-last/versions/1.0.0", { key, headers });
    expect(foreign.status).toBe(404);
    expect(withoutName(await foreign.text())).toBe(withoutName(await missing.text()));
    expect(await (await get("/v1/packs", { key })).json()).toEqual({ packs: [] });
  });
});
