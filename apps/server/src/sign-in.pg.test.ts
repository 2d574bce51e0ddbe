import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { listAuditEntries, openDatabase } from "@signalbox/db";
import { AuditEventType } from "@signalbox/contracts";
import { manifestJson, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let cookie = "";
let databaseUrl = "";
beforeAll(async () => {
  server = await startTestServer({
    tenants: [{ tenantId: "north", name: "Northern Works" }],
    via: async (url) => {
      databaseUrl = url;
      return url;
    },
  });
});
afterAll(() => server.dispose());

const signIn = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ token }),
  });
const own = () => ({ cookie, origin: server.origin });
const registerFrom = (headers: Record<string, string>, packId: string) =>
  fetch(`${server.origin}/v1/packs`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: manifestJson({ packId }),
  });

async function auditTypes(): Promise<number[]> {
  const database = openDatabase({ url: databaseUrl, applicationName: "test", maxConnections: 1 });
  try {
    const { entries } = await database.inTenant("default", (tx) => listAuditEntries(tx, { limit: 100 }));
    return entries.map((entry) => entry.eventType).toReversed();
  } finally {
    await database.close();
  }
}

describe("signing in by the link", () => {
  test("an unknown token opens nothing", async () => {
    expect(await (await signIn("a".repeat(43))).json()).toMatchObject({
      status: 401,
      code: "UNAUTHENTICATED",
    });
    expect((await signIn("")).status).toBe(422);
  });

  test("a tenant beside the first has a link of its own, which opens that tenant and no other", async () => {
    const [north] = server.tenantSignInUrls;
    expect(north?.url.searchParams.get("tenant")).toBe("north");
    const answer = await signIn(north?.url.hash.slice(1) ?? "");
    const headers = { cookie: answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "" };
    expect(await answer.json()).toMatchObject({ tenantId: "north", role: "admin" });
    const created = await fetch(`${server.origin}/v1/packs`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.origin, ...headers },
      body: manifestJson({ packId: "northern" }),
    });
    expect(created.status).toBe(201);
    const seen = await fetch(`${server.origin}/v1/packs`, {
      headers: { authorization: `Bearer ${server.adminKey}` },
    });
    expect(await seen.text()).not.toContain("northern");
  });

  test("a page of another site cannot sign a person in", async () => {
    const answer = await signIn(server.signInToken, { origin: "https://evil.example" });
    expect(await answer.json()).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });

  test("the token opens one session, in a cookie that no script reads", async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => signIn(server.signInToken)));
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
    const set = opened[0]?.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^signalbox_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    cookie = set.split(";", 1)[0] ?? "";
    expect(await opened[0]?.json()).toMatchObject({
      actor: { type: "human", id: "administrator" },
      role: "admin",
      credential: "session",
    });
    expect(await (await signIn(server.signInToken)).json()).toMatchObject({
      detail: expect.stringContaining("The sign-in link was used before."),
    });
  });

  test("the session reads, and changes what its own pages ask to change", async () => {
    const current = await fetch(`${server.origin}/trpc/session.current`, { headers: { cookie } });
    expect(await current.json()).toMatchObject({
      result: { data: { role: "admin", credential: "session" } },
    });
    expect((await registerFrom(own(), "from-own-pages")).status).toBe(201);
    expect((await registerFrom({ cookie, "sec-fetch-site": "same-origin" }, "from-own-pages")).status).toBe(
      200,
    );
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another port of this host", { origin: "http://127.0.0.1:1" }],
    ["no origin at all", {}],
  ])("a request from %s does not count as the person's", async (_, headers) => {
    const rest = await registerFrom({ cookie, ...headers }, "foreign");
    expect(await rest.json()).toMatchObject({ code: "FORBIDDEN" });
    const rpc = await fetch(`${server.origin}/vasini.agent.v1.ControlPlaneService/RegisterPack`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie, ...headers },
      body: "{}",
    });
    expect(rpc.status).toBe(403);
  });

  test("a WebSocket from another site is not opened, and one from our pages is", async () => {
    const address = `${server.origin.replace("http", "ws")}/trpc`;
    const foreign = new WebSocket(address, { headers: { cookie, origin: "https://evil.example" } });
    const [refusal] = await once(foreign, "error");
    expect(String(refusal)).toContain("403");
    const socket = new WebSocket(address, { headers: own() });
    await once(socket, "open");
    socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "packs.list" } }));
    const [answer] = await once(socket, "message");
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: { type: "data" } });

    const closed = await fetch(`${server.origin}/v1/session`, { method: "DELETE", headers: own() });
    expect(closed.status).toBe(204);
    expect(closed.headers.get("set-cookie")).toMatch(/^signalbox_session=; .*Expires=Thu, 01 Jan 1970/);
    socket.send(JSON.stringify({ id: 2, method: "query", params: { path: "packs.list" } }));
    const [after] = await once(socket, "message");
    expect(JSON.parse(String(after))).toMatchObject({
      id: 2,
      error: { data: { problem: { code: "UNAUTHENTICATED" } } },
    });
    socket.close();
  });

  test("after signing out the cookie is worth nothing", async () => {
    expect((await fetch(`${server.origin}/v1/packs`, { headers: { cookie } })).status).toBe(401);
    const current = await fetch(`${server.origin}/trpc/session.current`, { headers: { cookie } });
    expect(await current.json()).toMatchObject({ result: { data: null } });
  });

  test("all of it is on record, in order", async () => {
    const types = await auditTypes();
    expect(types.filter((type) => type !== AuditEventType.SIGN_IN_REFUSED)).toEqual([
      AuditEventType.TENANT_CREATED,
      AuditEventType.MEMBER_ADDED,
      AuditEventType.KEY_CREATED,
      AuditEventType.SIGN_IN_LINK_CREATED,
      AuditEventType.SIGNED_IN,
      AuditEventType.PACK_REGISTERED,
      AuditEventType.SIGNED_OUT,
    ]);
    // Of five, the first: a spent link cannot fill the record.
    expect(types.filter((type) => type === AuditEventType.SIGN_IN_REFUSED)).toHaveLength(1);
  });

  test("neither key, token nor cookie is in the log, at its most talkative", () => {
    const log = server.log();
    expect(log).toContain("/v1/session");
    for (const secret of [server.adminKey, server.signInToken, cookie.split("=")[1] ?? ""]) {
      expect(secret.length).toBeGreaterThan(30);
      expect(log).not.toContain(secret);
    }
  });
});

describe("over https", () => {
  test("the cookie is bound to this host and to https", async () => {
    const secure = await startTestServer({ publicUrl: new URL("https://box.example.org") });
    try {
      const answer = await fetch(`http://127.0.0.1:${secure.port}/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: "https://box.example.org" },
        body: JSON.stringify({ token: secure.signInToken }),
      });
      expect(answer.headers.get("set-cookie")).toMatch(
        /^__Host-signalbox_session=.*; Secure; SameSite=Strict$/,
      );
      expect(answer.headers.get("strict-transport-security")).toContain("max-age=31536000");
    } finally {
      await secure.dispose();
    }
  });
});

const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

test("a browser that signs in to another tenant has one session, and not one that nobody can sign out of", async () => {
  const both = await startTestServer({ tenants: [{ tenantId: "north", name: "Northern Works" }] });
  try {
    const post = (token: string, headers: Record<string, string> = {}) =>
      fetch(`${both.origin}/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ token }),
      });
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${both.origin}/v1/packs`, { headers })).status;

    const north = cookieOf(await post(both.tenantSignInUrls[0]?.url.hash.slice(1) ?? ""));
    const refused = await post("a".repeat(43), { cookie: north });
    expect(refused.status).toBe(401);
    expect(await statusOf({ cookie: north }), "a sign-in that fails ends nothing").toBe(200);
    const first = cookieOf(await post(both.signInToken, { cookie: north }));
    expect(await statusOf({ cookie: first })).toBe(200);
    expect(await statusOf({ cookie: north })).toBe(401);
  } finally {
    await both.dispose();
  }
});
