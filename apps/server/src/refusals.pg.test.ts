import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
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

async function raw(bytes: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  // Not ended: Node takes a half-closed client for one that has gone.
  socket.write(bytes);
  return text(socket);
}

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

async function countFound(query: string): Promise<number | undefined> {
  const page = await bodyOf(await get(`/v1/packs?${new URLSearchParams({ query }).toString()}`));
  return page.packs?.length;
}

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
    expect(await answer.json()).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  test("an unknown path is 404, and a known one with another method 405 with what it allows", async () => {
    expect(await (await get("/v1/pack")).json()).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const answer = await get("/v1/packs", { method: "DELETE" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, GET, HEAD");
    expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });

  test.each([
    "/v1/packs/%zz/versions/1.0.0",
    "/v1/packs/%00/versions/1.0.0",
    `/v1/packs/${"a".repeat(600)}/versions/1`,
  ])("a path that cannot be is not found: %s", async (path) => {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.adminKey}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain("application/problem+json");
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  });

  test("HEAD answers as GET would, without a body", async () => {
    await register(server, manifestJson({ packId: "headed" }));
    const answer = await get("/v1/packs/headed/versions/1.0.0", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(20);
    expect(await answer.text()).toBe("");
  });

  test("what is not HTTP is a problem too, with an id", async () => {
    const answer = await raw("BREW /pot HTCPCP/1.0\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(answer).toContain(`"code":"MALFORMED_BODY"`);
  });

  test("headers over the limit are 431", async () => {
    const answer = await raw(`GET / HTTP/1.1\r\nhost: a\r\nx-long: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
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

describe("registering under contention", () => {
  test("REG-2 REG-3 twenty at once create one pack, and twenty with other content are conflicts", async () => {
    const same = manifestJson({ packId: "contended" });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await register(server, same)).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    const others = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const answer = await register(
          server,
          manifestJson({ packId: "contended", ownerDomains: [`${index}`] }),
        );
        return (await bodyOf(answer)).code;
      }),
    );
    expect(new Set(others)).toEqual(new Set(["PACK_VERSION_EXISTS"]));
  });

  test("REG-6 a pack that needs a newer orchestrator is refused with both versions", async () => {
    const answer = await register(
      server,
      manifestJson({ packId: "ahead", minOrchestratorVersion: "99.0.0" }),
    );
    expect(await answer.json()).toMatchObject({
      status: 422,
      code: "PACK_INCOMPATIBLE",
      violations: [{ field: "minOrchestratorVersion", rule: "compatible" }],
    });
  });
});

describe("pages of a list", () => {
  test("a walk by cursor meets every pack once, whatever is registered meanwhile", async () => {
    const key = await server.keyOf("operator", "pages");
    for (let index = 0; index < 7; index += 1) {
      await register(server, manifestJson({ packId: `page-${index}` }), bearer(key));
    }
    const met: string[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: "3", ...(cursor === undefined ? {} : { cursor }) });
      const { packs = [], nextCursor } = await bodyOf(await get(`/v1/packs?${query.toString()}`, { key }));
      met.push(...packs.map(({ packId }) => packId));
      cursor = nextCursor;
      await register(server, manifestJson({ packId: `late-${met.length}` }), bearer(key));
    } while (cursor !== undefined);
    expect(met).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `page-${index}`));
  });

  test.each([
    ["cursor=nonsense", "cursor"],
    [`cursor=${Buffer.from(`["a","b"]`).toString("base64url")}`, "cursor"],
    [`cursor=${Buffer.from(`["not a time","b","c"]`).toString("base64url")}`, "cursor"],
    [`cursor=${Buffer.from(`["2026-01-01T00:00:00.000Z","\\u0000","c"]`).toString("base64url")}`, "cursor"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["limit=1&limit=2", "limit"],
    [`query=${"a".repeat(201)}`, "query"],
    ["query=%00", "query"],
    ["page=2", "page"],
  ])("%s is refused by its name", async (query, field) => {
    const answer = await get(`/v1/packs?${query}`);
    expect(await answer.json()).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field }] });
  });

  test("a search takes its words as they are", async () => {
    await register(server, manifestJson({ packId: "100%_sure" }));
    expect([await countFound("%_"), await countFound("0%_S"), await countFound("_%")]).toEqual([1, 1, 0]);
  });
});

describe("REG-9 names of packs", () => {
  test.each([401, 3_000, 100_000])(
    "an id of %i characters is refused with what is allowed",
    async (length) => {
      const answer = await register(
        server,
        manifestJson({ packId: randomBytes(length).toString("hex").slice(0, length) }),
      );
      expect(answer.status).toBe(422);
      const [violation] = (await bodyOf(answer)).violations ?? [];
      expect(violation).toMatchObject({ field: "packId", rule: "name.max_len" });
      expect(violation?.message).toContain("at most 400");
    },
  );

  test.each([randomBytes(200).toString("hex"), "語".repeat(400), "😀".repeat(200), "a/b c?d#e%f"])(
    "%j is kept, and is found under its own path",
    async (packId) => {
      const answer = await register(server, manifestJson({ packId }));
      expect(answer.status).toBe(201);
      expect((await get(answer.headers.get("location") ?? "")).status).toBe(200);
    },
  );

  test.each([".", "..", " a", "a\n"])("%j is refused", async (packId) => {
    expect((await register(server, manifestJson({ packId }))).status).toBe(422);
  });
});
