import { randomBytes } from "node:crypto";
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

async function countFound(query: string): Promise<number | undefined> {
  const page = await bodyOf(await get(`/v1/packs?${new URLSearchParams({ query }).toString()}`));
  return page.packs?.length;
}

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
